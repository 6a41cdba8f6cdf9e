const HEX = Buffer.from("0123456789abcdef");
const FEWEST_SLOTS = 1 << 16;
const MOST_FILLED = 0.8;
const GROWTH = 1.5;
/** Allows for an estimate that is a little too low. */
const SPARE = 1.05;

/**
 * A hash set of rows, by 63 bits of their MD5, 8 bytes each. The seven million rows of the largest file take about 75
 * MB. The probability that two different rows have the same bits is below 1 in 100,000.
 */
export class RepeatedRows {
  #count = 0;
  #size = FEWEST_SLOTS;
  #slots = new Int32Array(2 * FEWEST_SLOTS);
  readonly #expectedRows: () => number;

  /** `expectedRows` estimates the rows of the file from the part read so far. */
  constructor(expectedRows: () => number) {
    this.#expectedRows = expectedRows;
  }

  /** Adds a row by two words of its hash; false if it was added before. */
  add(first: number, second: number): boolean {
    // Zero marks an empty slot.
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

/** Puts a row into its slot or the next free one; false if it is there already. */
function put(slots: Int32Array, size: number, first: number, mark: number): boolean {
  // Rows are in hash order at every size, so that growing writes to memory in one direction.
  let slot = Math.floor(((first >>> 0) / 2 ** 32) * size);
  while (slots[2 * slot + 1] !== 0) {
    if (slots[2 * slot] === first && slots[2 * slot + 1] === mark) return false;
    slot = slot + 1 === size ? 0 : slot + 1;
  }
  slots[2 * slot] = first;
  slots[2 * slot + 1] = mark;
  return true;
}

/** Writes a digest, a string with one character per byte, in hexadecimal; returns the offset behind it. */
export function writeHex(out: Buffer, from: number, digest: string): number {
  let offset = from;
  for (let index = 0; index < digest.length; index += 1) {
    const byte = digest.charCodeAt(index);
    out[offset] = HEX[byte >> 4] as number;
    out[offset + 1] = HEX[byte & 15] as number;
    offset += 2;
  }
  return offset;
}
