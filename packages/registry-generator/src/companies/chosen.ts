import { lifeOf } from "../histories/carrier-life.ts";
import type { World } from "../histories/world.ts";

/**
 * Ranks of the first `count` companies that were carried over into Motus, keyed by company index. Motus has them from the
 * first day on and their authority never changes, so rows that must exist in exact numbers belong to them. The result is
 * cached per world: call it with the same count each time.
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
