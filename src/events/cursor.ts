import { openCursor, sealCursor } from "../platform/http/cursor.ts";

/** A cursor is valid for one account of one installation. */
export interface CursorOwner {
  instanceId: string;
  accountId: number;
}

const FORM = "ev1";

const textOf = ({ instanceId, accountId }: CursorOwner): string => `${instanceId} ${accountId}`;

/**
 * The cursor of a position: the next page begins after the event with that id. It holds no secret and no server state.
 */
export const cursorAt = (owner: CursorOwner, position: number): string =>
  sealCursor(FORM, textOf(owner), [position]);

/** The position of a cursor of this owner, or null for any other text. */
export function positionOf(owner: CursorOwner, cursor: string): number | null {
  const [digits] = openCursor(FORM, textOf(owner), cursor) ?? [];
  return digits !== undefined && /^\d{1,16}$/.test(digits) ? Number(digits) : null;
}
