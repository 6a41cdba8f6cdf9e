import type { Row, Value } from "./recount.ts";

const shown = (value: Value | undefined): string => (value === undefined ? "nothing" : JSON.stringify(value));

/**
 * The differences between service and recount, one line each: the row, the column, the value in the service and the value
 * in the recount. Rows are matched by `keyOf`; several rows of one key are matched in the order of their text.
 */
export function differences(
  served: readonly Row[],
  recounted: readonly Row[],
  keyOf: (row: Row) => string,
): string[] {
  const found: string[] = [];
  const servedByKey = Map.groupBy(served, keyOf);
  const recountedByKey = Map.groupBy(recounted, keyOf);
  for (const key of new Set([...servedByKey.keys(), ...recountedByKey.keys()])) {
    const theirs = byText(servedByKey.get(key) ?? []);
    const ours = byText(recountedByKey.get(key) ?? []);
    for (let at = 0; at < Math.max(theirs.length, ours.length); at += 1) {
      const [their, our] = [theirs[at], ours[at]];
      if (our === undefined) found.push(`${key}: only the service has ${JSON.stringify(their)}`);
      else if (their === undefined) found.push(`${key}: only the recount has ${JSON.stringify(our)}`);
      else found.push(...columnDifferences(their, our).map((line) => `${key}: ${line}`));
    }
  }
  return found;
}

/** Compares the order of equal rows: the first index where it differs. */
export function orderDifference(
  served: readonly Row[],
  recounted: readonly Row[],
  keyOf: (row: Row) => string,
): string[] {
  const at = served.findIndex((row, index) => keyOf(row) !== keyOf(recounted[index] ?? {}));
  if (at === -1) return [];
  return [
    `index ${at}: the service has ${keyOf(served[at] ?? {})}, the recount ${keyOf(recounted[at] ?? {})}`,
  ];
}

function columnDifferences(their: Row, our: Row): string[] {
  const names = [...new Set([...Object.keys(our), ...Object.keys(their)])];
  const lines = names
    .filter((name) => shown(their[name]) !== shown(our[name]))
    .map((name) => `${name}: the service has ${shown(their[name])}, the recount ${shown(our[name])}`);
  if (lines.length === 0 && Object.keys(their).join() !== Object.keys(our).join())
    lines.push(`columns: the service has ${Object.keys(their)}, the recount ${Object.keys(our)}`);
  return lines;
}

const byText = (rows: readonly Row[]): Row[] =>
  rows
    .map((row) => ({ row, text: JSON.stringify(row) }))
    .sort((one, other) => (one.text < other.text ? -1 : 1))
    .map(({ row }) => row);
