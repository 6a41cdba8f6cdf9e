import { feedRecord, publishFeed } from "../../../../support/feeds/published-feed.ts";
import type { TestService } from "../../../../support/service.ts";

export const CARRIERS = "us_small_carriers_active";
export const PENDING = "us_revocation_pending";
export const BROKERS = "us_brokers";

/** Publishes 120 carriers, 3 pending revocations of 2 companies, and one broker as an earlier release had it. */
export async function publishExploredFeeds({ context, clock }: TestService): Promise<void> {
  // 120 carriers of 1 to 4 trucks; of every tenth no end of a policy is known. Two insurers have most of them.
  const carriers = Array.from({ length: 120 }, (_, index) =>
    feedRecord(CARRIERS, {
      company: `CARRIER ${String(index).padStart(3, "0")}`,
      dot_number: String(2_000 + index),
      state: ["TX", "CA", "OH"][index % 3] as string,
      power_units: 1 + (index % 4),
      cancellation_pending: index % 10 === 0 ? null : `2026-12-${10 + (index % 9)}`,
      authority_granted: `2026-0${1 + (index % 9)}-15`,
      cargo: index % 2 === 0 ? ["produce", "meat"] : ["meat"],
      insurer: index < 60 ? "TWIN ELK CO" : index < 90 ? "Lloyds, London" : `INSURER ${index}`,
    }),
  );
  await publishFeed(context.db, CARRIERS, { records: carriers, asOf: "2026-11-20", now: clock.now() });
  // Two authorities of one company are two rows.
  const pending = ["MC500001", "MC500002", "MC500003"].map((docket_number, index) =>
    feedRecord(PENDING, { docket_number, dot_number: index === 0 ? "78" : "77" }),
  );
  await publishFeed(context.db, PENDING, { records: pending, asOf: "2026-11-20", now: clock.now() });
  // A version of an earlier release, without a column that a filter reads.
  const { has_cell: _, ...broker } = feedRecord(BROKERS, { dot_number: "79" });
  await publishFeed(context.db, BROKERS, { records: [broker], asOf: "2026-11-20", now: clock.now() });
}
