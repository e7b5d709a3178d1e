// Times in the reader's own zone. Without it they are in UTC.
import { region, times } from "./offline.js";

function showTimes() {
  for (const time of document.querySelectorAll("time[data-local]")) {
    const moment = new Date(time.dateTime);
    let local = times.format(moment);
    if (time.dataset.local === "zone") {
      // Next to a local time, show the reader's own time if it differs.
      if (local === inZone(region, time.dataset.beside, moment)) {
        time.remove();
        continue;
      }
      local = `${local} ${zoneName(region, moment)}`;
    }
    if (time.dataset.local === "title") {
      time.title = local;
    } else {
      time.title = time.textContent;
      time.textContent = local;
    }
    time.removeAttribute("data-local");
  }
}

// What clocks of a zone show; "" for none, or one that the browser does not know.
function inZone(lang, timeZone, moment) {
  try {
    const style = { dateStyle: "medium", timeStyle: "short", timeZone };
    return timeZone ? new Intl.DateTimeFormat(lang, style).format(moment) : "";
  } catch {
    return "";
  }
}

function zoneName(lang, moment) {
  const parts = new Intl.DateTimeFormat(lang, { timeZoneName: "short" }).formatToParts(moment);
  return parts.find((part) => part.type === "timeZoneName").value;
}

// A field for a zone begins with the reader's, where that is one of those offered.
function offerZone() {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  for (const field of document.querySelectorAll("input[data-own-zone]")) {
    const offered = [...field.list.options].some((one) => one.value === timeZone);
    if (!field.value && (offered || timeZone === "UTC")) {
      field.value = timeZone;
    }
  }
}

document.addEventListener("htmx:afterSettle", showTimes);
showTimes();
offerZone();
