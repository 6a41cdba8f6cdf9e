// Runs in the browser, on a page that is judged.

const USABLE = "a[href], button, input, select, textarea, summary, [tabindex='0']";

const isReached = (element) =>
  !element.disabled &&
  element.type !== "hidden" &&
  // The keyboard reaches one radio button of a group.
  (element.type !== "radio" || element.checked) &&
  element.checkVisibility({ visibilityProperty: true });

const nameOf = (element) => element.outerHTML.slice(0, 160);

const isInView = (element) => {
  const { top, right, bottom, left } = element.getBoundingClientRect();
  return bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
};

/** A field's text may be longer than the field. */
const isCut = (element) =>
  !element.matches("input, textarea, select") &&
  getComputedStyle(element).overflow !== "visible" &&
  (element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1);

/** Whether a form follows a heading and nothing is shown up to the next heading. */
const isHeadingOfNothing = (heading) => {
  if (!heading.nextElementSibling?.matches("form")) return false;
  for (let next = heading.nextElementSibling; next && !next.matches("h2, h3"); next = next.nextElementSibling)
    if (next.checkVisibility()) return false;
  return true;
};

/** The luminance of a colour as WCAG defines it. The canvas knows every way to write a colour. */
const luminanceOf = (colour) => {
  const brush = new OffscreenCanvas(1, 1).getContext("2d");
  brush.fillStyle = colour;
  brush.fillRect(0, 0, 1, 1);
  const [red, green, blue] = [...brush.getImageData(0, 0, 1, 1).data].map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrastOf = (one, other) => {
  const [less, more] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (more + 0.05) / (less + 0.05);
};

/** What a text of a drawing stands on: the tile before it, else the frame of the drawing. */
const groundOf = (text) => {
  const tile = text.closest(".tile")?.querySelector("rect");
  return tile ? getComputedStyle(tile).fill : getComputedStyle(text.closest("figure")).backgroundColor;
};

/**
 * A word, a number or a day that a text begins with: each fits in a line of any column. A longer one, such as an address, may
 * have to be broken.
 */
const WORDS = /^\s*\d{4}-\d\d-\d\d|[\p{L}\p{N}]{1,20}(?![\p{L}\p{N}])/gu;

/** The words of a text that begin in one line and end in another. */
const tornIn = (text) => {
  const range = document.createRange();
  return [...text.data.matchAll(WORDS)].flatMap(({ 0: word, index }) => {
    const isWhole = index === 0 || !/[\p{L}\p{N}]/u.test(text.data[index - 1]);
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    const parts = [...range.getClientRects()].filter(({ width }) => width > 0);
    return isWhole && new Set(parts.map(({ top }) => Math.round(top))).size > 1 ? [word] : [];
  });
};

let usable = [];
let seen = new WeakSet();

/** Where the focus stood before each key. A key's own event comes before the focus moves. */
let stops = [];
document.addEventListener("keydown", () => stops.push(focused()), true);

const focused = () => {
  const element = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const isOutlined = outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1;
  return { index: usable.indexOf(element), isSeen: isOutlined && isInView(element) };
};

globalThis.judge = {
  /** How far the page is wider than the window. */
  overflow: () => document.documentElement.scrollWidth - innerWidth,

  /** Parts of the page that scroll up and down in a box of their own. The menu does, and examples that are meant to be short. */
  scrollBoxes: () =>
    [...document.querySelectorAll("body:not(.reference) *:not(.side, .short pre, textarea)")]
      .filter(
        (element) =>
          ["auto", "scroll"].includes(getComputedStyle(element).overflowY) &&
          element.scrollHeight > element.clientHeight + 1,
      )
      .map(nameOf),

  /** Tables that do not show all their columns at once. Rows of a feed have the columns that a person chose. */
  wideTables: () =>
    [...document.querySelectorAll(".table:not(.dense)")]
      .filter((element) => element.checkVisibility() && element.scrollWidth > element.clientWidth + 1)
      .map(nameOf),

  /** Lines that open and don't look so: neither a button nor with the triangle of a fold. */
  plainFolds: () =>
    [
      ...document.querySelectorAll(
        "body:not(.reference) summary:not(.button, .pick > *, .guide > details > *)",
      ),
    ]
      .filter(
        (element) =>
          element.checkVisibility() &&
          getComputedStyle(element).display !== "list-item" &&
          getComputedStyle(element, "::before").content === "none",
      )
      .map(nameOf),

  /** Parts of the page that are cut off, what can only be filled in or pressed, and headings of nothing, in the form for paper. */
  lostOnPaper: () =>
    [...document.querySelectorAll("body:not(.reference) *")]
      .filter(
        (element) =>
          element.checkVisibility() &&
          (element.matches(
            "form[method=get] *, input:not([type=hidden]), select, textarea, button, .button",
          ) ||
            isCut(element) ||
            (element.matches("h2, h3") && isHeadingOfNothing(element))),
      )
      .map(nameOf),

  /** Words that are broken in the middle. Lines of code and addresses break where they are full. */
  tornWords: () => {
    const torn = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { currentNode: text } = texts;
      const { parentElement: around } = text;
      if (around.checkVisibility() && !around.closest("pre, svg, .reference, a:has(wbr)"))
        torn.push(...tornIn(text));
    }
    return torn;
  },

  /** Remembers what a person sees now, for `mark`. */
  remember: () => {
    seen = new WeakSet(
      [...document.querySelectorAll("body *")].filter((element) => element.checkVisibility()),
    );
  },

  /** Marks what a person sees now and did not see then. */
  mark: () => {
    const added = [...document.querySelectorAll("body *")].filter(
      (element) => element.checkVisibility() && !seen.has(element),
    );
    for (const element of added) element.dataset.added = "";
  },

  /** The bytes of the page and of everything it loaded except some files, before compression. */
  bytes: (exceptFor) =>
    [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
      .filter(({ name }) => !exceptFor.some((part) => name.includes(part)))
      .reduce((total, { decodedBodySize }) => total + decodedBodySize, 0),

  /** How far parts of the page moved by themselves since it was opened, as browsers count it (0: not at all). */
  shift: () => {
    const observer = new PerformanceObserver(() => {});
    observer.observe({ type: "layout-shift", buffered: true });
    const moves = observer.takeRecords().filter(({ hadRecentInput }) => !hadRecentInput);
    observer.disconnect();
    return moves.reduce((total, { value }) => total + value, 0);
  },

  /** Remembers everything that a person can use; returns how many there are. */
  findUsable: () => {
    usable = [...document.querySelectorAll(USABLE)].filter(isReached);
    return usable.length;
  },

  /**
   * The elements that were focused since the last call: the number of each among the usable ones (-1: none of them), and
   * whether a person saw the focus.
   */
  stops: () => {
    const all = [...stops, focused()];
    stops = [];
    return all;
  },

  /** The usable elements with these numbers, as text. */
  named: (indexes) => indexes.map((index) => nameOf(usable[index])),

  /** Focuses the link to the content. Says of each such link whether a person sees it then. */
  focusSkipLink: () =>
    [...document.querySelectorAll("a[href]")]
      .filter((link) => link.textContent.trim() === "Skip to content")
      .map((link) => {
        link.focus();
        return link === document.activeElement && isInView(link);
      }),

  /** The text that the focus is on, and whether it is inside the content. */
  focus: () => ({
    text: document.activeElement.textContent.trim(),
    isInContent: document.activeElement.closest("main, footer") !== null,
  }),

  /** The addresses that the page links to, on this host. */
  links: () =>
    [...document.querySelectorAll("a[href]:not([href^='#'])")]
      .map(({ href }) => new URL(href))
      .filter(({ origin }) => origin === location.origin)
      .map(({ pathname, search }) => pathname + search),

  /** Buttons in view that only the script brings to life. */
  deadButtons: () =>
    [...document.querySelectorAll("button[data-copy]")]
      .filter((button) => button.checkVisibility())
      .map(nameOf),

  /** Letters of drawings with less than 4.5 : 1 against what they stand on. */
  faintInPictures: () =>
    [...document.querySelectorAll("svg text")]
      .filter((text) => text.textContent.trim() !== "" && text.checkVisibility())
      .filter((text) => contrastOf(getComputedStyle(text).fill, groundOf(text)) < 4.5)
      .map(nameOf),
};
