import type { Caller } from "../../../../src/accounts/keys/caller.ts";
import { readRecords } from "../../../../src/feeds/records/records.ts";
import type { Context } from "../../../../src/platform/context.ts";
import { filters } from "../../../support/feeds/feeds-fixture.ts";

export const BROKERS = "us_brokers";

export interface Asked {
  page?: number;
  size?: number;
  state?: string;
  fields?: string[];
}

/** A page of the brokers as the text of its answer. */
export async function pageOf(
  context: Context,
  caller: Caller,
  { page = 1, size = 100, state, fields }: Asked,
): Promise<string> {
  const answer = await readRecords(context, caller, BROKERS, {
    page,
    page_size: size,
    filters: filters(state === undefined ? {} : { state }),
    ...(fields && { fields }),
  });
  return String(answer.body?.json);
}

export const REQUESTS: Asked[] = [
  {},
  { page: 3 },
  { page: 7, size: 100 },
  { page: 8 },
  { page: 1, size: 1000 },
  { page: 64, size: 1 },
  { page: 2, size: 64 },
  { state: "TX" },
  { page: 2, state: "CA,NY", size: 200 },
  { state: "TX", fields: ["company", "state"] },
  { page: 2, fields: ["company"] },
];
