// Times in the reader's own zone. Without it they are in UTC.

function showTimes() {
  const { lang } = document.documentElement;
  // In the reader's region; English without one is as the server writes it: "22 Nov 2026, 07:07".
  const own = navigator.languages.find((one) => one.startsWith(`${lang}-`)) ?? (lang === "en" ? "en-GB" : lang);
  const format = new Intl.DateTimeFormat(own, { dateStyle: "medium", timeStyle: "short" });
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
