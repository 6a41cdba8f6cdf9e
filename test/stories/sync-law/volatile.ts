// The columns that a copy writes anew when it comes to another version, as the published contract tells a program.
import type { TestService } from "../../support/service.ts";

export type PlainRecord = Record<string, unknown>;

/** How each volatile column follows from a record and its version: `x-volatile`. */
export type VolatileColumns = Readonly<Record<string, { verified_on: string } | { days_since: string }>>;

interface PublishedContract {
  components: { schemas: Record<string, { "x-feed"?: string; properties?: Record<string, PlainRecord> }> };
}

export async function readVolatile(service: TestService, feed: string): Promise<VolatileColumns> {
  const { components } = (await (await service.get("/openapi.json")).json()) as PublishedContract;
  const schema = Object.values(components.schemas).find((each) => each["x-feed"] === feed);
  const columns = Object.entries(schema?.properties ?? {});
  return Object.fromEntries(
    columns.flatMap(([name, column]) => (column["x-volatile"] ? [[name, column["x-volatile"]]] : [])),
  ) as VolatileColumns;
}

/** Writes the volatile columns of a record as they are in the version with these days. */
export function refresh(
  record: PlainRecord,
  columns: VolatileColumns,
  { asOf, verifiedOn }: { asOf: string; verifiedOn: PlainRecord },
): void {
  for (const [name, rule] of Object.entries(columns)) {
    if ("verified_on" in rule) record[name] = verifiedOn[String(record[rule.verified_on])];
    else {
      const day = record[rule.days_since];
      record[name] = day === null ? null : (Date.parse(asOf) - Date.parse(String(day))) / 86_400_000;
    }
  }
}

/** A record without its volatile columns. */
export const stable = (record: PlainRecord, columns: VolatileColumns): PlainRecord =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !(name in columns)));
