// Dialogs, and filling the screen.

export function listenForDialogs() {
  addEventListener("click", (event) => {
    const target = event.target;
    const opener = target.closest?.("[data-open]");
    if (opener) open(document.querySelector(opener.dataset.open));
    if (target.closest?.("[data-close]") || target.nodeName === "DIALOG") close(target.closest("dialog"));
    if (target.closest?.("[data-full]")) fillScreen();
  });
}

function open(dialog) {
  if (!dialog || dialog.open) return;
  if (dialog.showModal) dialog.showModal();
  else dialog.setAttribute("open", "");
}

function close(dialog) {
  if (!dialog) return;
  if (dialog.close) dialog.close();
  else dialog.removeAttribute("open");
}

function fillScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.().catch(() => {});
}
