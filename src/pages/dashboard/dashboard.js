// What pages do beyond HTML; without it everything still works.

/** Buttons with data-copy put the text of the element of that id on the clipboard. */
document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("button[data-copy]");
  if (!button) return;
  const text = document.getElementById(button.dataset.copy).textContent.trim();
  const name = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    const range = document.createRange();
    range.selectNodeContents(document.getElementById(button.dataset.copy));
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    button.textContent = "Selected: press Ctrl-C";
  }
  setTimeout(() => {
    button.textContent = name;
  }, 2000);
});

/** What buttons with data-download ask for is fetched piece by piece, so that the page can tell how far it is. */
document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("button[data-download]");
  if (!button) return;
  event.preventDefault();
  const state = document.getElementById("download-state");
  button.disabled = true;
  try {
    const asked = new URLSearchParams(new FormData(button.form));
    const response = await fetch(`${button.formAction}?${asked}`);
    if (!response.ok) {
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      throw new Error(page.querySelector("[role=alert]")?.textContent ?? `status ${response.status}`);
    }
    const pieces = [];
    let bytes = 0;
    let lines = 0;
    for await (const piece of response.body) {
      pieces.push(piece);
      bytes += piece.length;
      for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines += 1;
      state.textContent = `${Math.max(0, lines - 1).toLocaleString("en-US")} rows, ${(bytes / 1e6).toFixed(1)} MB so far …`;
    }
    const name = /filename="?([^";]+)/.exec(response.headers.get("content-disposition") ?? "")?.[1];
    const saved = document.createElement("a");
    saved.href = URL.createObjectURL(new Blob(pieces, { type: "text/csv" }));
    saved.download = name ?? "feed.csv";
    saved.click();
    setTimeout(() => URL.revokeObjectURL(saved.href), 60_000);
    state.textContent = `Done: ${Math.max(0, lines - 1).toLocaleString("en-US")} rows, ${(bytes / 1e6).toFixed(1)} MB.`;
  } catch (error) {
    state.textContent = `The download failed: ${error.message} What did not arrive is not charged.`;
  } finally {
    button.disabled = false;
  }
});
