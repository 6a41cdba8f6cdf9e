import { keyPrefix } from "../../accounts/keys/key-format.ts";
import { type Html, html } from "../kit/html.ts";

/** Who made something: a person by the address, a program by its key, or a dash where it is not known. */
export const madeBy = (maker: string | null | undefined): Html | string => {
  if (!maker) return "–";
  return maker.includes("@") ? maker : html`API key <code>${keyPrefix(maker)}</code>`;
};
