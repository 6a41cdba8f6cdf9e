// Starts the reference in the page.

const place = document.getElementById("reference");

/** The address that the page was loaded from. The page may ask no other, and the published one may be that of a proxy. */
const here = new URL(".", location.href).href.slice(0, -1);

/** Snippets are shown for curl, Python's requests and JavaScript's fetch: these clients of the reference are not shown. */
const HIDDEN = {
  shell: ["httpie", "wget"],
  python: ["python3", "aiohttp", "httpx_sync", "httpx_async"],
  js: ["axios", "jquery", "ofetch", "xhr"],
  ...Object.fromEntries(
    [
      ...[
        "c",
        "clojure",
        "csharp",
        "dart",
        "fsharp",
        "go",
        "http",
        "java",
        "julia",
        "kotlin",
        "node",
        "objc",
      ],
      ...["ocaml", "php", "powershell", "r", "ruby", "rust", "swift"],
    ].map((target) => [target, true]),
  ),
};

const SAFE_METHODS = ["GET", "HEAD"];

/**
 * Sends a request that changes nothing. A click on a prefilled form must not register an endpoint or remove a business:
 * the stylesheet hides the button of such operations, and this refuses what gets here in another way.
 */
async function sendSafely(input, init) {
  const request = new Request(input, init);
  if (SAFE_METHODS.includes(request.method)) return fetch(request);
  throw new Error("This page sends only requests that change nothing. Copy the snippet to send this one.");
}

/** The contract with the address of this page. */
async function loadContract() {
  const answer = await fetch(`${here}/openapi.json`);
  if (!answer.ok) throw new Error(`${here}/openapi.json answered with status ${answer.status}.`);
  const text = await answer.text();
  const [{ url: published }] = JSON.parse(text).servers;
  const contract = JSON.parse(text.replaceAll(`${published}/`, `${here}/`));
  for (const parameter of Object.values(contract.components.parameters)) leaveOut(parameter);
  return { ...contract, servers: [{ url: here }] };
}

/** Lets a filter with a list of words begin unchecked. The reference would send the first word, which few feeds allow. */
function leaveOut(parameter) {
  const { required, schema } = parameter;
  if (required || schema.enum === undefined || schema.default !== undefined) return;
  parameter.examples = { default: { value: schema.enum[0], "x-disabled": true } };
}

/** What the reference leaves out for people who do not see it: names and roles, by the elements that lack them. */
const COMPLETIONS = {
  // The head of its menu is not the head of the page.
  "header:not([role])": (head) => {
    head.setAttribute("role", "none");
    head.parentElement.setAttribute("role", "region");
    head.parentElement.setAttribute("aria-label", "Menu of the reference");
  },
  // Parts of the same name would be no help in a list of landmarks.
  "section.contents:not([role]), .response-card[role=region]": (part) => part.setAttribute("role", "group"),
  "button.scalar-code-copy:not([aria-label])": (button) => button.setAttribute("aria-label", "Copy"),
  "button.show-more:not([data-named])": (button) => {
    button.dataset.named = "";
    button.setAttribute("aria-label", `${button.textContent.trim()}: ${button.ariaLabel}`);
  },
  "button[role=none]": (button) => button.removeAttribute("role"),
  "button[aria-controls]": (button) => {
    if (!document.getElementById(button.getAttribute("aria-controls")))
      button.removeAttribute("aria-controls");
  },
  ".code-input-lite__editor:not([aria-label])": (field) => {
    const name = field.closest("td")?.querySelector("label")?.textContent ?? field.dataset.placeholder;
    field.setAttribute("aria-label", name || "Value");
  },
  ".code-input-lite__editor:not([aria-expanded])": (field) => field.setAttribute("aria-expanded", "false"),
  "[role=dialog] section[aria-live]:not([data-named])": (messages) => {
    messages.dataset.named = "";
    messages.setAttribute("aria-label", "Messages of this form");
  },
  // Keys scroll what a pointer scrolls.
  ".endpoints:not([tabindex]), .cm-scroller[tabindex='-1']": (list) => list.setAttribute("tabindex", "0"),
  ".cm-content:not([aria-label])": (text) => text.setAttribute("aria-label", "Body"),
};

function complete() {
  for (const [selector, mend] of Object.entries(COMPLETIONS)) place.querySelectorAll(selector).forEach(mend);
  // Behind an open form nothing is read or reached.
  const isFormOpen = place.querySelector(".scalar-client--open") !== null;
  place.querySelector("main.references-rendered")?.toggleAttribute("inert", isFormOpen);
}

async function start() {
  new MutationObserver(complete).observe(place, {
    attributeFilter: ["class"],
    childList: true,
    subtree: true,
  });
  const key = place.dataset.key;
  const content = await loadContract();
  Scalar.createApiReference(place, {
    content,
    customFetch: sendSafely,
    authentication: {
      preferredSecurityScheme: "apiKey",
      ...(key && { securitySchemes: { apiKey: { value: key } } }),
    },
    defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
    hiddenClients: HIDDEN,
    // Nothing is loaded from other sites, and nothing is sent to them.
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: "never",
    // The page has the colours of the site, and follows the reader's system as all pages do.
    theme: "none",
    hideDarkModeToggle: true,
    documentDownloadType: "none",
    modelsSectionLabel: "Schemas",
    metaData: { title: document.title },
  });
}

start().catch((error) => {
  place.textContent = `The reference could not be loaded: ${error.message} Load the page again.`;
});
