const FEWEST_SLOTS = 1 << 16;
const MOST_FILLED = 0.8;
const GROWTH = 1.5;
/** Extra capacity, for a file with slightly more rows than expected. */
const SPARE = 1.05;

/**
 * A hash set of the rows seen so far, 8 bytes with 63 bits of the MD5 each. The largest file's seven million rows take
 * about 75 MB. The chance that any two different rows collide is below one in a hundred thousand.
 */
export class RepeatedRows {
  #count = 0;
  #size = FEWEST_SLOTS;
  #slots = new Int32Array(2 * FEWEST_SLOTS);
  readonly #expectedRows: () => number;

  /** `expectedRows`: an estimate of the file's rows from the part read so far. */
  constructor(expectedRows: () => number) {
    this.#expectedRows = expectedRows;
  }

  /** Adds a row by two words of its hash; false when it is a repeat. */
  add(first: number, second: number): boolean {
    // Never zero: zero marks an empty slot.
    const mark = second | 1;
    if (!put(this.#slots, this.#size, first, mark)) return false;
    this.#count += 1;
    if (this.#count > this.#size * MOST_FILLED) this.#grow();
    return true;
  }

  #grow(): void {
    const old = this.#slots;
    const expected = (this.#expectedRows() * SPARE) / MOST_FILLED;
    this.#size = Math.floor(Math.max(this.#size * GROWTH, expected));
    this.#slots = new Int32Array(2 * this.#size);
    for (let slot = 0; slot < old.length; slot += 2) {
      const mark = old[slot + 1] as number;
      if (mark !== 0) put(this.#slots, this.#size, old[slot] as number, mark);
    }
  }
}

/** Puts a row into its slot or the next free one; false when it is there already. */
function put(slots: Int32Array, size: number, first: number, mark: number): boolean {
  // Slots are in the order of the hashes at every size, so that growing accesses memory sequentially.
  let slot = Math.floor(((first >>> 0) / 2 ** 32) * size);
  while (slots[2 * slot + 1] !== 0) {
    if (slots[2 * slot] === first && slots[2 * slot + 1] === mark) return false;
    slot = slot + 1 === size ? 0 : slot + 1;
  }
  slots[2 * slot] = first;
  slots[2 * slot + 1] = mark;
  return true;
}
