const FIRST_LETTER = 65;
const LETTERS = 26;

/** Statistics of a file's rows, counted while they are written: reading them again would take far longer. */
export class RowCounts {
  /** Rows that were not left out. */
  rows = 0;
  /** For each cell, the number of rows in which it is filled; for a yes/no cell, in which it is yes. */
  readonly filled: Float64Array;
  /** For each cell, the newest day up to today, as a compact day; 0 when there is none. */
  readonly newestDays: Int32Array;
  readonly #today: number;
  readonly #stateAt: number;
  readonly #states = new Float64Array(LETTERS * LETTERS);
  /** The current row. */
  readonly #isFilled: Uint8Array;
  readonly #days: Int32Array;
  #state = -1;
  #cell = 0;

  /** `columns`: the names of a row's cells in order. `today`: a compact day. */
  constructor(columns: readonly string[], today: number) {
    this.filled = new Float64Array(columns.length);
    this.newestDays = new Int32Array(columns.length);
    this.#isFilled = new Uint8Array(columns.length);
    this.#days = new Int32Array(columns.length);
    this.#today = today;
    this.#stateAt = columns.indexOf("state");
  }

  /** Begins a row. */
  begin(): void {
    this.#cell = 0;
    this.#state = -1;
  }

  /** The row's next cell; `day` is the compact day in it. */
  add(isFilled: boolean, day = 0): void {
    this.#isFilled[this.#cell] = isFilled ? 1 : 0;
    this.#days[this.#cell] = day;
    this.#cell += 1;
  }

  /** The row's next cell, a text. `unknown`, a status or class that could not be read, counts as not filled. */
  addText(text: string): void {
    if (this.#cell === this.#stateAt) {
      this.#state = LETTERS * (text.charCodeAt(0) - FIRST_LETTER) + text.charCodeAt(1) - FIRST_LETTER;
    }
    this.add(text !== "unknown");
  }

  /** Counts the current row. Without this call it is left out. */
  end(): void {
    this.rows += 1;
    for (let cell = 0; cell < this.#cell; cell += 1) {
      (this.filled[cell] as number) += this.#isFilled[cell] as number;
      const day = this.#days[cell] as number;
      if (day > (this.newestDays[cell] as number) && day <= this.#today) this.newestDays[cell] = day;
    }
    if (this.#state >= 0) (this.#states[this.#state] as number) += 1;
  }

  /** Number of rows by state; rows without a state are not counted. */
  byState(): Record<string, number> {
    const entries = [...this.#states].flatMap((rows, index): [string, number][] => {
      const letters = [Math.floor(index / LETTERS), index % LETTERS];
      return rows === 0
        ? []
        : [[String.fromCharCode(...letters.map((letter) => FIRST_LETTER + letter)), rows]];
    });
    return Object.fromEntries(entries);
  }
}
