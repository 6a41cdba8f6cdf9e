import type { Visitor } from "../programs/processes/load.ts";

export const CONNECTIONS = 32;
/** Different paths of one connection; together they are more than the service keeps finished. */
const PATHS = 200;
/** Large, and coprime to numbers of pages and businesses: neighbours in time are far apart, and all are asked for. */
export const STEP = 3_571;

/** Visitors, each with paths of its own. `pathOf` gets a number that no other path has, from those of turn `turn` on. */
export const visitorsOf = (
  headersOf: (visitor: number) => Visitor["headers"],
  pathOf: (index: number) => string,
  { connections = CONNECTIONS, turn = 0 } = {},
): Visitor[] =>
  Array.from({ length: connections }, (_, visitor) => ({
    headers: headersOf(visitor),
    paths: Array.from({ length: PATHS }, (_, index) =>
      pathOf((turn * connections + visitor) * PATHS + index),
    ),
  }));
