import { lifeOf } from "../histories/carrier-life.ts";
import type { World } from "../histories/world.ts";

/**
 * The ranks of the first `count` companies that were carried over into Motus, by index. Motus holds them from the first
 * day on and nothing happens to their authority, so rows that must be there in exact numbers can be theirs. Remembered
 * for the world: ask for the same count each time.
 */
export function chosenCompanies(world: World, count: number): ReadonlyMap<number, number> {
  let chosen = known.get(world);
  if (!chosen) {
    chosen = new Map();
    for (let index = 1; index < world.carriers && chosen.size < count; index += 1)
      if (lifeOf(world, index).plot === "carried") chosen.set(index, chosen.size);
    known.set(world, chosen);
  }
  return chosen;
}

const known = new WeakMap<World, Map<number, number>>();
