import { keyPrefix } from "../../accounts/keys/key-format.ts";
import { type Html, html } from "../kit/html.ts";

/** Who made something: a person by the address, a program by its key, or nothing where it is not known. */
export const madeBy = (maker: string | null | undefined): Html | string | null => {
  if (!maker) return null;
  return maker.includes("@") ? maker : html`API key <code>${keyPrefix(maker)}</code>`;
};
