import { createHash } from "node:crypto";

/** Whose cursors: they are good for one account of one installation only. */
export interface CursorOwner {
  instanceId: string;
  accountId: number;
}

const VERSION = "ev1";

/** The cursor of a position: reading goes on behind the event of that id. Holds no secret, and no state is kept of it. */
export const cursorAt = (owner: CursorOwner, position: number): string =>
  Buffer.from(`${VERSION}.${position}.${checksum(owner, position)}`).toString("base64url");

/** The position of a cursor of this owner; null for any other text. */
export function positionOf(owner: CursorOwner, cursor: string): number | null {
  const [version, digits] = Buffer.from(cursor, "base64url").toString("latin1").split(".");
  if (version !== VERSION || !/^\d{1,16}$/.test(digits ?? "")) return null;
  const position = Number(digits);
  return cursorAt(owner, position) === cursor ? position : null;
}

// Against mistakes, not against forgers: a position alone lets nobody see more than the plan does.
const checksum = ({ instanceId, accountId }: CursorOwner, position: number): string =>
  createHash("sha256").update(`${instanceId} ${accountId} ${position}`).digest("base64url").slice(0, 10);
