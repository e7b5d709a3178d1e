// Times in the reader's own zone. Without it they are in UTC.

function showTimes() {
  const language = document.documentElement.lang;
  const format = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  for (const time of document.querySelectorAll("time[data-local]")) {
    const local = format.format(new Date(time.dateTime));
    if (time.dataset.local === "title") {
      time.title = local;
    } else {
      time.title = time.textContent;
      time.textContent = local;
    }
    time.removeAttribute("data-local");
  }
}

document.addEventListener("htmx:afterSettle", showTimes);
showTimes();
