import { openCursor, sealCursor } from "../../platform/http/cursor.ts";

/** Where the next page of changes begins. */
export type ChangesPosition =
  /** After this change of a step. */
  | { part: "steps"; step: number; ordinal: number }
  /** After this row of the later version: rows that no step changed. */
  | { part: "rows"; row: number }
  /** The same, only for rows that were removed or shown again while the earlier pages were read. */
  | { part: "removals"; row: number };

export interface ChangesCursor {
  since: number;
  to: number;
  /** The step that the way ends with: a rollback may lead to the same version again. Null in cursors of older programs. */
  end: number | null;
  position: ChangesPosition;
  /**
   * The number of removals that was sent with `since`; null: none. In the part `removals`: the one when the first of the
   * pages that have to agree was read.
   */
  removals: number | null;
  /** Rows that the pages before cost. */
  rows: number;
  /** The state of the removal list before the first of the pages that have to agree. */
  listState: string;
}

const FORM = "ch2";

/** `owner` is that of `cursorOwner`. */
export function changesCursor(owner: string, cursor: ChangesCursor): string {
  const { since, to, end, position, removals, rows, listState } = cursor;
  const { part } = position;
  const place = part === "steps" ? [position.step, position.ordinal] : [position.row, 0];
  return sealCursor(FORM, owner, [
    since,
    to,
    part,
    ...place,
    removals ?? "",
    rows,
    listState.replace(".", "-"),
    end ?? "",
  ]);
}

/** What a cursor of this owner says; null for any other text. */
export function readChangesCursor(owner: string, cursor: string): ChangesCursor | null {
  const parts = openCursor(FORM, owner, cursor);
  if (parts === null) return null;
  const [since, to, part, first, second, removals, rows, listState = "", end = ""] = parts;
  const position: ChangesPosition =
    part === "steps"
      ? { part, step: Number(first), ordinal: Number(second) }
      : { part: part === "rows" ? "rows" : "removals", row: Number(first) };
  return {
    since: Number(since),
    to: Number(to),
    end: end === "" ? null : Number(end),
    position,
    removals: removals === "" ? null : Number(removals),
    rows: Number(rows),
    listState: listState.replace("-", "."),
  };
}
