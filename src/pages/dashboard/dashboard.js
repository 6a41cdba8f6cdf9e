// Conveniences for the dashboard's pages. They also work without this script.

/** A button with data-copy copies the text of the element with that id. */
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

/** A button with data-download fetches its file in chunks, so that the page can show the progress. */
document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("button[data-download]");
  if (!button) return;
  event.preventDefault();
  const state = document.getElementById("download-state");
  button.disabled = true;
  try {
    const query = new URLSearchParams(new FormData(button.form));
    const response = await fetch(`${button.formAction}?${query}`);
    if (!response.ok) {
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      throw new Error(page.querySelector("[role=alert]")?.textContent ?? `status ${response.status}`);
    }
    const chunks = [];
    let bytes = 0;
    let lines = 0;
    for await (const chunk of response.body) {
      chunks.push(chunk);
      bytes += chunk.length;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
      state.textContent = `${Math.max(0, lines - 1).toLocaleString("en-US")} rows, ${(bytes / 1e6).toFixed(1)} MB so far …`;
    }
    const name = /filename="?([^";]+)/.exec(response.headers.get("content-disposition") ?? "")?.[1];
    const saved = document.createElement("a");
    saved.href = URL.createObjectURL(new Blob(chunks, { type: "text/csv" }));
    saved.download = name ?? "feed.csv";
    saved.click();
    setTimeout(() => URL.revokeObjectURL(saved.href), 60_000);
    state.textContent = `Done: ${Math.max(0, lines - 1).toLocaleString("en-US")} rows, ${(bytes / 1e6).toFixed(1)} MB.`;
  } catch (error) {
    state.textContent = `The download failed: ${error.message} Rows that did not arrive are not charged.`;
  } finally {
    button.disabled = false;
  }
});
