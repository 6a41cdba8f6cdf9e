// The numbers by which carriers are asked for, and whose they are.
import * as sql from "../generated/sql/registry.ts";
import type { Context } from "../platform/context.ts";
import { type Fault, InvalidRequestError } from "../platform/http/invalid-request.ts";
import { countOf } from "../platform/plural.ts";
import { typedDocket, typedUsdot } from "./docket.ts";

/** USDOT and docket numbers of a request, in any spelling. */
export interface AskedNumbers {
  usdots?: readonly string[];
  dockets?: readonly string[];
}

/** A number of a request, and what it was read as. */
export interface CarrierNumber {
  query: string;
  /** The companies that it may stand for: one of a USDOT number; null for one that can't be read. */
  usdots: readonly number[] | null;
  /** What can't be read must look like this. */
  form: string;
}

/**
 * Whose the numbers are, in the order asked: first `usdots`, then `dockets`. InvalidRequestError for no number, or more than
 * `most`.
 */
export async function readNumbers(
  context: Context,
  { usdots = [], dockets = [] }: AskedNumbers,
  most: number,
): Promise<CarrierNumber[]> {
  const count = usdots.length + dockets.length;
  if (count === 0) throw new InvalidRequestError([NO_NUMBER]);
  if (count > most) throw new InvalidRequestError([tooMany(most)]);
  const read = dockets.map((query) => ({ query, docket: typedDocket(query) }));
  const holders = await holdersOf(
    context,
    read.flatMap(({ docket }) => docket ?? []),
  );
  return [
    ...usdots.map((query) => {
      const usdot = typedUsdot(query);
      return { query, usdots: usdot === null ? null : [usdot], form: USDOT_FORM };
    }),
    ...read.map(({ query, docket }) => ({
      query,
      usdots: docket === null ? null : (holders.get(docket) ?? []),
      form: DOCKET_FORM,
    })),
  ];
}

const USDOT_FORM = "A USDOT number has 1 to 8 digits and is not zero.";
/** What a docket number looks like. */
export const DOCKET_WORDS = "MC, FF or MX with 1 to 8 digits, such as MC-139446";
export const DOCKET_FORM = `A docket number is ${DOCKET_WORDS}.`;
const NO_NUMBER: Fault = {
  loc: ["body"],
  msg: "must have a number in usdots or dockets",
  type: "minItems",
};
const tooMany = (most: number): Fault => ({
  loc: ["body"],
  msg: `must have at most ${countOf(most, "number")} in usdots and dockets together`,
  type: "maxItems",
});

/** The USDOT numbers that have or had each of these dockets. */
export async function holdersOf({ db }: Context, dockets: readonly string[]): Promise<Map<string, number[]>> {
  if (dockets.length === 0) return new Map();
  const rows = await sql.findHolders(db.pool, { dockets: [...new Set(dockets)] });
  return new Map(rows.map(({ docket, usdots }) => [docket, usdots]));
}
