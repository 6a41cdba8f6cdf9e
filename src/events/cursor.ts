import { openCursor, sealCursor } from "../platform/http/cursor.ts";

/** A cursor is valid for one account of one installation. */
export interface CursorOwner {
  instanceId: string;
  accountId: number;
}

const textOf = ({ instanceId, accountId }: CursorOwner): string => `${instanceId} ${accountId}`;

/** The form of the cursors of events, of corrections, and of changes of carriers. */
export type CursorForm = "ev1" | "co1" | "cc1";

/**
 * The cursor of a position: the next page begins after the event, correction or change with that id. It holds no secret and no
 * server state.
 */
export const cursorAt = (owner: CursorOwner, position: number, form: CursorForm = "ev1"): string =>
  sealCursor(form, textOf(owner), [position]);

/** The position of a cursor of this form and owner, or null for any other text. */
export function positionOf(owner: CursorOwner, cursor: string, form: CursorForm = "ev1"): number | null {
  const [digits] = openCursor(form, textOf(owner), cursor) ?? [];
  return digits !== undefined && /^\d{1,16}$/.test(digits) ? Number(digits) : null;
}
