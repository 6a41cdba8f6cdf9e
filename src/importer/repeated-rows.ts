const FEWEST_SLOTS = 1 << 16;
const MOST_FILLED = 0.8;
const GROWTH = 1.5;
/** Room for an expectation that falls a little short. */
const SPARE = 1.05;

/**
 * Which rows came before, each known by 63 bits of its MD5, in 8 bytes: the largest file's seven million rows take
 * some 75 MB, and that two different ones agree is less likely than one to a hundred thousand.
 */
export class RepeatedRows {
  #count = 0;
  #size = FEWEST_SLOTS;
  #slots = new Int32Array(2 * FEWEST_SLOTS);
  readonly #expectedRows: () => number;

  /** `expectedRows`: how many the file seems to have, by what was read of it so far. */
  constructor(expectedRows: () => number) {
    this.#expectedRows = expectedRows;
  }

  /** Takes up a row by two words of its hash; false when it came before. */
  add(first: number, second: number): boolean {
    // An empty slot has a zero here.
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
    for (let place = 0; place < old.length; place += 2) {
      const mark = old[place + 1] as number;
      if (mark !== 0) put(this.#slots, this.#size, old[place] as number, mark);
    }
  }
}

/** Puts a row into its slot or the next free one; false when it stands there. */
function put(slots: Int32Array, size: number, first: number, mark: number): boolean {
  // Rows keep their order from one size to the next, so that growing goes through the memory in one direction.
  let slot = Math.floor(((first >>> 0) / 2 ** 32) * size);
  while (slots[2 * slot + 1] !== 0) {
    if (slots[2 * slot] === first && slots[2 * slot + 1] === mark) return false;
    slot = slot + 1 === size ? 0 : slot + 1;
  }
  slots[2 * slot] = first;
  slots[2 * slot + 1] = mark;
  return true;
}
