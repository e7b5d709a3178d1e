// Files dropped anywhere on the page are imported. Without it they are chosen in the form.

const carries = (event) => event.dataTransfer?.types.includes("Files");
const show = (dropping) => document.documentElement.classList.toggle("dropping", dropping);

document.addEventListener("dragover", (event) => {
  if (!carries(event)) return;
  event.preventDefault();
  show(true);
});

document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) show(false);
});

document.addEventListener("drop", (event) => {
  show(false);
  const { files } = event.dataTransfer;
  if (!carries(event) || !files.length) return;
  event.preventDefault();
  const form = document.getElementById("drop");
  form.elements.file.files = files;
  form.submit();
});
