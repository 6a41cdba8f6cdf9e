import type { RemovalShown } from "../../suppression/requests/requests.ts";

/** What a removal request names, as one text. */
export const namesOf = ({ identifiers }: RemovalShown): string =>
  identifiers.map(({ kind, value }) => `${kind} ${value}`).join(", ") || "(forgotten)";
