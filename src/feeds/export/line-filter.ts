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
  readonly #listed: Int32Array | null;
  readonly #removed: Int32Array;
  #linesSeen: number;
  #listedSeen: number;
  #removedSeen: number;
  #visibleSeen: number;

  constructor({ listed, removed }: Visible, seen: LinesSeen = NO_LINES) {
    this.#listed = listed;
    this.#removed = removed;
    this.#linesSeen = seen.lines;
    this.#listedSeen = seen.listed;
    this.#removedSeen = seen.removed;
    this.#visibleSeen = seen.visible;
  }

  /** Whether every listed row was seen, so that no later line is visible. */
  get isDone(): boolean {
    return this.#listed !== null && this.#listedSeen === this.#listed.length;
  }

  get linesSeen(): number {
    return this.#linesSeen;
  }

  get visibleSeen(): number {
    return this.#visibleSeen;
  }

  /** How far the lines were judged before the last one, which was visible. */
  beforeVisible(): LinesSeen {
    return {
      lines: this.#linesSeen - 1,
      listed: this.#listed === null ? 0 : this.#listedSeen - 1,
      removed: this.#removedSeen,
      visible: this.#visibleSeen - 1,
    };
  }

  /** Whether the next line is visible. */
  next(): boolean {
    this.#linesSeen += 1;
    if (this.#listed !== null) {
      if (this.#listed[this.#listedSeen] !== this.#linesSeen) return false;
      this.#listedSeen += 1;
    }
    const index = this.#listed === null ? this.#linesSeen : this.#listedSeen;
    if (this.#removed[this.#removedSeen] === index) {
      this.#removedSeen += 1;
      return false;
    }
    this.#visibleSeen += 1;
    return true;
  }
}
