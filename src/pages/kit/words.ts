import { type AuthorityClass, classInWords, FREIGHT_CLASSES } from "../../registry/authority-classes.ts";
import { type Html, html } from "./html.ts";

/** A word of the contract for people to read: `out_of_service` as `out of service`, `carrier_property` as `carrier of property`. */
export const inWords = (word: string | null | undefined): string | undefined =>
  CLASSES.has(word ?? "") ? classInWords(word as AuthorityClass) : word?.replaceAll("_", " ");

const CLASSES: ReadonlySet<string> = new Set(FREIGHT_CLASSES);

/** A sentence in which code stands between backticks. */
export const withCode = (sentence: string): Html =>
  html`${sentence.split("`").map((part, index) => (index % 2 === 0 ? wholeWords(part) : html`<code>${wholeWords(part)}</code>`))}`;

/** Words that a line has room for are not broken at their hyphens. */
export const wholeWords = (text: string): Html =>
  html`${text.split(/( )/).map((word) => (/-./.test(word) && word.length <= LONGEST_WHOLE ? html`<span class="whole">${word}</span>` : word))}`;

const LONGEST_WHOLE = 32;

/** An address that is broken after its slashes first. */
export const breakableAddress = (address: string): Html =>
  html`${address.split(/(?<=[^/:]\/)(?=.)/).map((part, index) => html`${index > 0 && html`<wbr>`}${part}`)}`;
