// Keyboard shortcuts of the page.

/**
 * @param {{start: () => void, stop: () => void, step: (by: number) => void}} act
 */
export function listen({ start, stop, step }) {
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      // A text field sends its change event when it loses the focus.
      document.activeElement?.blur();
      start();
    } else if (event.key === "Escape") {
      stop();
    } else if (event.altKey && event.key === "ArrowLeft") {
      step(-1);
    } else if (event.altKey && event.key === "ArrowRight") {
      step(1);
    } else return;
    event.preventDefault();
  });
}
