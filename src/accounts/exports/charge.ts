// What an account was charged for a content in a month, by state.

/** Rows of an export by state; those without a state under "". */
export type RowsByState = Readonly<Record<string, number>>;

/** What was charged for a content, and what its exports delivered: at most one number for each state. */
export interface Charge {
  charged: number;
  delivered: number;
  chargedByState: RowsByState;
  deliveredByState: RowsByState;
}

/** What a content without a charge has. */
export const NO_CHARGE: Charge = { charged: 0, delivered: 0, chargedByState: {}, deliveredByState: {} };

/** The charge that has the rows too. The sum may be more than its states have: an older program kept the sum only. */
export function withRows(charge: Charge, rows: RowsByState): Charge {
  const chargedByState = mostOf(charge.chargedByState, rows);
  return { ...charge, chargedByState, charged: Math.max(charge.charged, sumOf(chargedByState)) };
}

/** For each state the larger number. */
export function mostOf(one: RowsByState, other: RowsByState): RowsByState {
  const states = Object.keys({ ...one, ...other });
  return Object.fromEntries(states.map((state) => [state, Math.max(one[state] ?? 0, other[state] ?? 0)]));
}

/** For each state of `one` the smaller number. */
export const leastOf = (one: RowsByState, other: RowsByState): RowsByState =>
  Object.fromEntries(Object.entries(one).map(([state, rows]) => [state, Math.min(rows, other[state] ?? 0)]));

/** The rows of all states. */
export const sumOf = (rows: RowsByState): number => Object.values(rows).reduce((sum, each) => sum + each, 0);
