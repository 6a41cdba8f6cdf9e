/** A stream of pseudo-random values that depends only on the numbers it was created from. */
export interface Random {
  /** A number from 0 to below 1. */
  next(): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  /** True with the given probability. */
  chance(probability: number): boolean;
  /** One element, all equally likely. */
  pick<T>(list: readonly T[]): T;
}

const scramble = (value: number): number => {
  let mixed = value ^ (value >>> 16);
  mixed = Math.imul(mixed, 0x21f0aaad);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x735a2d97);
  return (mixed ^ (mixed >>> 15)) >>> 0;
};

/**
 * Creates the stream of (seed, index, topic). Each carrier has several topics, so that one more draw in one of them does
 * not change the others. The generator is splitmix32: small, fast and the same on every machine.
 */
export function createRandom(seed: number, index: number, topic: number): Random {
  let state = scramble(scramble(scramble(seed + 0x9e3779b9) ^ index) + topic * 0x85ebca6b);
  const next = () => {
    state = (state + 0x9e3779b9) | 0;
    return scramble(state) / 4_294_967_296;
  };
  return {
    next,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    chance: (probability) => next() < probability,
    pick: <T>(list: readonly T[]) => list[Math.floor(next() * list.length)] as T,
  };
}

const GOLDEN_RATIO = 0.618_033_988_749_895;

/**
 * Maps an index to a number between 0 and 1, so evenly that any share of the range has that share of the carriers, plus or
 * minus one or two. So a small registry has some of everything with any seed.
 */
export function evenFraction(seed: number, index: number): number {
  const fraction = scramble(seed ^ 0x51ed270b) / 4_294_967_296 + index * GOLDEN_RATIO;
  return fraction - Math.floor(fraction);
}

/** Chooses from a list with weights. `total` is their sum: a parameter, because it is needed millions of times. */
export function pickWeighted<T extends { weight: number }>(
  random: Random,
  list: readonly T[],
  total: number,
): T {
  let rest = random.next() * total;
  for (const item of list) {
    rest -= item.weight;
    if (rest < 0) return item;
  }
  return list[list.length - 1] as T;
}
