import type { VisibleRows } from "../records/visible-rows.ts";

type Visible = Pick<VisibleRows, "listed" | "removed">;

/** How far the lines of a version's file were judged. */
export interface LinesSeen {
  lines: number;
  /** Of `listed`, of `removed`, and of the lines that are visible. */
  listed: number;
  removed: number;
  visible: number;
}

export const NO_LINES: LinesSeen = { lines: 0, listed: 0, removed: 0, visible: 0 };

/** Tells of each line of a version's file, one after the other, whether its row is visible. */
export class LineFilter {
  readonly seen: LinesSeen;
  readonly #visible: Visible;

  constructor(visible: Visible, seen: LinesSeen = NO_LINES) {
    this.#visible = visible;
    this.seen = { ...seen };
  }

  /** Whether every listed row was seen, so that no later line is visible. */
  get isDone(): boolean {
    const { listed } = this.#visible;
    return listed !== null && this.seen.listed === listed.length;
  }

  /** Whether the next line is visible. */
  next(): boolean {
    const { seen } = this;
    const { listed, removed } = this.#visible;
    seen.lines += 1;
    if (listed !== null) {
      if (listed[seen.listed] !== seen.lines) return false;
      seen.listed += 1;
    }
    const index = listed === null ? seen.lines : seen.listed;
    if (removed[seen.removed] === index) {
      seen.removed += 1;
      return false;
    }
    seen.visible += 1;
    return true;
  }
}
