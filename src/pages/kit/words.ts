import { CLASS_WORDS } from "../../registry/authority-classes.ts";
import { type Html, html } from "./html.ts";

/** Words of the contract that say nothing to people without their underscores. */
const WORDS: Readonly<Record<string, string>> = { ...CLASS_WORDS, bipd: "liability" };

/** A word of the contract for people to read: `trust_fund` as `trust fund`, `carrier_hhg` as `carrier of household goods`. */
export const inWords = (word: string | null | undefined): string | undefined =>
  word === null || word === undefined ? undefined : (WORDS[word] ?? word.replaceAll("_", " "));

/** An address that is broken after its slashes first. */
export const breakableAddress = (address: string): Html =>
  html`${address.split(/(?<=[^/:]\/)(?=.)/).map((part, index) => html`${index > 0 && html`<wbr>`}${part}`)}`;
