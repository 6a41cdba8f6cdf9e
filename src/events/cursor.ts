import { createHash } from "node:crypto";

/** A cursor is valid for one account of one installation. */
export interface CursorOwner {
  instanceId: string;
  accountId: number;
}

const VERSION = "ev1";

/**
 * The cursor of a position: the next page begins after the event with that id. It holds no secret and no server state.
 */
export const cursorAt = (owner: CursorOwner, position: number): string =>
  Buffer.from(`${VERSION}.${position}.${checksum(owner, position)}`).toString("base64url");

/** The position of a cursor of this owner, or null for any other text. */
export function positionOf(owner: CursorOwner, cursor: string): number | null {
  const [version, digits] = Buffer.from(cursor, "base64url").toString("latin1").split(".");
  if (version !== VERSION || !/^\d{1,16}$/.test(digits ?? "")) return null;
  const position = Number(digits);
  return cursorAt(owner, position) === cursor ? position : null;
}

// Detects mistakes, not forgery: a forged position shows nothing that the plan does not include.
const checksum = ({ instanceId, accountId }: CursorOwner, position: number): string =>
  createHash("sha256").update(`${instanceId} ${accountId} ${position}`).digest("base64url").slice(0, 10);
