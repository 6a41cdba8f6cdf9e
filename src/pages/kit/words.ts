import { codeInWords } from "../../registry/code-words.ts";
import { type Html, html } from "./html.ts";

/** A code of the contract for people to read; undefined for none. */
export const inWords = (code: string | null | undefined): string | undefined =>
  code === null || code === undefined ? undefined : codeInWords(code);

/** An address that is broken after its slashes first. */
export const breakableAddress = (address: string): Html =>
  html`${address.split(/(?<=[^/:]\/)(?=.)/).map((part, index) => html`${index > 0 && html`<wbr>`}${part}`)}`;
