import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import typescript from "highlight.js/lib/languages/typescript";
import yaml from "highlight.js/lib/languages/yaml";
import { Html, html } from "./html.ts";

for (const [name, language] of Object.entries({ bash, json, python, typescript, yaml })) {
  hljs.registerLanguage(name, language);
}

/** The languages that code blocks colour. `text` is not coloured. */
export type Language = "bash" | "json" | "python" | "typescript" | "yaml" | "text";

export const isLanguage = (name: string): name is Language =>
  name === "text" || hljs.getLanguage(name) !== undefined;

/** Code of so many characters stays on one line: it fits everywhere. */
const MOST_WHOLE = 24;

/** Code within a sentence. When it is long, it may break: a path after a slash, other code after a sign. */
export const inlineCode = (code: string): Html =>
  code.length <= MOST_WHOLE
    ? html`<code>${code}</code>`
    : html`<code>${code.split(code.includes("/") ? /(?<=[/?&=, ])/ : /(?<=[^A-Za-z0-9{-])/).map((part, index) => html`${index > 0 && html`<wbr>`}${part}`)}</code>`;

/** A text of the contract: what stands in backticks is code, and a day stays on one line. */
export const withCode = (text: string): Html =>
  html`${text.split(/(`[^`]+`|\b\d{4}-\d\d-\d\d\b)/).map((part, index) => {
    if (index % 2 === 0) return part;
    return part.startsWith("`") ? inlineCode(part.slice(1, -1)) : html`<time>${part}</time>`;
  })}`;

/** Code with coloured words, as HTML without a frame. */
const coloured = (code: string, language: Language): Html =>
  language === "text" ? html`${code}` : new Html(hljs.highlight(code, { language }).value);

/** Blocks of code that say the same in several languages. One is open at a time, also without a script. */
export const codeChoice = (
  languages: readonly { name: string; block: Html }[],
): Html => html`<div class="languages">
${languages.map(
  ({ name, block }, index) => html`<details name="language"${index === 0 && html` open`}>
<summary>${name}</summary>
${block}</details>
`,
)}</div>
`;

/**
 * A block of code. `id` names it on its page; the button copies exactly `code`. The button appears when the page's script
 * runs: without it, the text can be selected.
 */
export const codeBlock = ({
  id,
  code,
  language,
  copy = "Copy",
}: {
  id: string;
  code: string;
  language: Language;
  /** The words of the button. */
  copy?: string;
}): Html => html`<div class="code">
<pre tabindex="0"><code id="${id}">${coloured(code, language)}</code></pre>
<button type="button" class="quiet small" data-copy="${id}">${copy}</button>
</div>
`;
