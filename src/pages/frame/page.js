// Conveniences for every page. Every page also works without this script.

/** A button with data-copy copies the text of the element with that id. */
document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("button[data-copy]");
  if (!button) return;
  const text = document.getElementById(button.dataset.copy).textContent.trim();
  // A second click comes while the button says “Copied”.
  button.dataset.name ??= button.textContent;
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
    button.textContent = button.dataset.name;
  }, 2000);
});

/** A button with data-download fetches its file in chunks, so that the page can show the progress. */
document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("button[data-download]");
  if (!button) return;
  event.preventDefault();
  // A button that is disabled would lose the focus.
  if (button.ariaDisabled === "true") return;
  const state = document.getElementById("download-state");
  button.ariaDisabled = "true";
  state.className = "";
  state.textContent = "The file is being made …";
  try {
    const query = new URLSearchParams(new FormData(button.form));
    const response = await fetch(`${button.formAction}?${query}`);
    if (response.redirected)
      throw new Error("You are not signed in any more. Sign in and download it again.");
    if (!response.ok) {
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      throw new Error(
        page.querySelector("[role=alert]")?.textContent ??
          `The service answered with status ${response.status}.`,
      );
    }
    const chunks = [];
    let bytes = 0;
    const rows = Number(response.headers.get("x-row-count")).toLocaleString("en-US");
    for await (const chunk of response.body) {
      chunks.push(chunk);
      bytes += chunk.length;
      state.textContent = `${(bytes / 1e6).toFixed(1)} MB of ${rows} rows so far …`;
    }
    const name = /filename="?([^";]+)/.exec(response.headers.get("content-disposition") ?? "")?.[1];
    const saved = document.createElement("a");
    saved.href = URL.createObjectURL(new Blob(chunks, { type: response.headers.get("content-type") }));
    saved.download = name ?? "feed";
    saved.click();
    setTimeout(() => URL.revokeObjectURL(saved.href), 60_000);
    state.textContent = `Done: ${rows} rows, ${(bytes / 1e6).toFixed(1)} MB.`;
  } catch (error) {
    state.className = "notice bad";
    // Browsers have own words, without a full stop, for a connection that broke.
    const why = error instanceof TypeError ? "The connection broke. Download it again." : error.message;
    state.textContent = `The download failed: ${why} Rows that did not arrive are not charged.`;
  } finally {
    button.ariaDisabled = null;
  }
});

/**
 * A page sends one form that changes something: of two clicks the browser drops the first answer, which may hold a new secret
 * or a session. It may send another one on the way back, and after a while, if no answer came. Searches and downloads are free.
 */
const ANSWER_WITHIN_MS = 30_000;
let sentAt = -ANSWER_WITHIN_MS;
document.addEventListener("submit", (event) => {
  if (event.defaultPrevented || event.target.getAttribute("method") !== "post") return;
  if (performance.now() - sentAt < ANSWER_WITHIN_MS) event.preventDefault();
  else sentAt = performance.now();
});
addEventListener("pageshow", () => {
  sentAt = -ANSWER_WITHIN_MS;
});

/** The key "/" goes to the search, unless someone types or holds another key. */
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest?.("input, textarea, select, [contenteditable]");
  const field = document.querySelector("[role=search] input");
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey || !field) return;
  event.preventDefault();
  field.focus();
});

/** In a list of boxes, letters go to the first box that begins with them, and arrows to the next and the one before. */
let letters = "";
let lettersAt = 0;
document.addEventListener("keydown", (event) => {
  const boxes = [
    ...(event.target.closest?.(".pick fieldset")?.querySelectorAll("input[type=checkbox]") ?? []),
  ];
  const at = boxes.indexOf(event.target);
  if (at === -1 || event.ctrlKey || event.metaKey || event.altKey) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  let next = step && boxes[at + step];
  if (event.key.length === 1 && event.key !== " ") {
    letters =
      event.timeStamp - lettersAt < 1000 ? letters + event.key.toLowerCase() : event.key.toLowerCase();
    lettersAt = event.timeStamp;
    next = boxes.find((box) => box.parentElement.textContent.trim().toLowerCase().startsWith(letters));
  } else if (!step) return;
  event.preventDefault();
  next?.focus();
});

/** Elements that only this script brings to life, such as the buttons that copy, are shown from now on. */
document.documentElement.classList.add("scripted");

/** On a phone a menu is one line that scrolls: the page that is shown is in sight there. */
for (const here of document.querySelectorAll("nav ul [aria-current]")) {
  const line = here.closest("ul");
  line.scrollLeft = here.offsetLeft - (line.clientWidth - here.clientWidth) / 2;
}

/** Times are written in UTC. The reader may choose their own zone; the choice stays in this browser. */
const ZONE_KEY = "times-in";
const ownZone = readersZone();

/** UTC where the browser does not know the zone: it then names one that it refuses, such as Etc/Unknown. */
function readersZone() {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  try {
    Intl.DateTimeFormat("en", { timeZone });
    return timeZone || "UTC";
  } catch {
    return "UTC";
  }
}

function showTimes() {
  const isOwn = localStorage.getItem(ZONE_KEY) === "own";
  const exactTo = (timeStyle) =>
    new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle, timeZone: isOwn ? ownZone : "UTC" });
  const exact = { minute: exactTo("short"), second: exactTo("medium") };
  for (const time of document.querySelectorAll("time[data-instant]")) {
    time.querySelector(".exact").textContent = exact[time.dataset.instant].format(Date.parse(time.dateTime));
  }
  for (const choice of document.querySelectorAll(".time-choice")) {
    const hadFocus = choice.contains(document.activeElement);
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet small";
    button.textContent = isOwn ? "Show UTC" : `Show ${ownZone}`;
    button.addEventListener("click", () => {
      localStorage.setItem(ZONE_KEY, isOwn ? "utc" : "own");
      showTimes();
    });
    choice.replaceChildren(`Times are ${isOwn ? ownZone : "UTC"}. `, ...(ownZone === "UTC" ? [] : [button]));
    if (hadFocus) button.focus();
  }
}
showTimes();

/** Replaces what an element holds, without moving the keyboard's focus or closing what a person has opened. */
function replaceContent(element, nodes) {
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  const textOf = (fold) => fold.querySelector("summary").textContent;
  const opened = [...element.querySelectorAll("details[open]")].map(textOf);
  element.replaceChildren(...nodes);
  for (const fold of element.querySelectorAll("details")) fold.open ||= opened.includes(textOf(fold));
  if (focused === null) return;
  const isSame = (each) => each.textContent === focused.textContent;
  [...element.querySelectorAll(focused.localName)].find(isSame)?.focus();
}

/** A page that waits for an answer looks for it each second, for a minute, and shows itself anew when it is there. */
async function awaitAnswer(looks) {
  if (looks === 0 || document.querySelector("[data-awaited]") === null) return;
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const response = await fetch(location.pathname).catch(() => null);
  const page = response?.ok ? new DOMParser().parseFromString(await response.text(), "text/html") : null;
  const found = page?.querySelector("#outcome:not([data-awaited])");
  if (!found) return awaitAnswer(looks - 1);
  // Screen readers read out what changes in an element that they know.
  const known = document.getElementById("outcome");
  found.replaceWith(known);
  replaceContent(document.querySelector("main"), page.querySelector("main").childNodes);
  delete known.dataset.awaited;
  known.className = found.className;
  known.replaceChildren(...found.childNodes);
  showTimes();
}
awaitAnswer(60);
