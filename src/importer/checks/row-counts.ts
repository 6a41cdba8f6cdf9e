const FIRST_LETTER = 65;
const LETTERS = 26;

/** What a file's rows are like as a whole, counted while they are written: reading them all again takes far longer. */
export class RowCounts {
  /** Rows that were kept. */
  rows = 0;
  /** By a row's cells, in how many rows each is filled; of a yes/no cell, in how many it says yes. */
  readonly filled: Float64Array;
  /** The newest day that a row tells of beside its cells, as a compact day; 0 where there is none. */
  newestNoted = 0;
  /** By a row's cells, the newest day that is not after today, as a compact day; 0 where there is none. */
  readonly newestDays: Int32Array;
  readonly #today: number;
  readonly #stateAt: number;
  readonly #states = new Float64Array(LETTERS * LETTERS);
  /** The row at hand. */
  readonly #isFilled: Uint8Array;
  readonly #days: Int32Array;
  #state = -1;
  #cell = 0;

  /** `columns`: the names of a row's cells in their order. `today`: a compact day. */
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

  /** The row's next cell, a text. `unknown` is what a status or class is called that could not be read: no better than none. */
  addText(text: string): void {
    if (this.#cell === this.#stateAt) {
      this.#state = LETTERS * (text.charCodeAt(0) - FIRST_LETTER) + text.charCodeAt(1) - FIRST_LETTER;
    }
    this.add(text !== "unknown");
  }

  /** A day not after today that the row tells of beside its cells. */
  noteDay(day: number): void {
    if (day > this.newestNoted) this.newestNoted = day;
  }

  /** The row is kept. */
  end(): void {
    this.rows += 1;
    for (let cell = 0; cell < this.#cell; cell += 1) {
      (this.filled[cell] as number) += this.#isFilled[cell] as number;
      const day = this.#days[cell] as number;
      if (day > (this.newestDays[cell] as number) && day <= this.#today) this.newestDays[cell] = day;
    }
    if (this.#state >= 0) (this.#states[this.#state] as number) += 1;
  }

  /** Rows by state; those without one not counted. */
  byState(): Record<string, number> {
    const entries = [...this.#states].flatMap((rows, place): [string, number][] => {
      const letters = [Math.floor(place / LETTERS), place % LETTERS];
      return rows === 0
        ? []
        : [[String.fromCharCode(...letters.map((letter) => FIRST_LETTER + letter)), rows]];
    });
    return Object.fromEntries(entries);
  }
}
