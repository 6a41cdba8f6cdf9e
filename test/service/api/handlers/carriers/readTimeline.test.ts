import { describe, expect, it } from "vitest";
import { setDetection } from "../../../../support/events/events.ts";
import { AS_OF } from "../../../../support/feeds/every-record.ts";
import { putRows, removeRows } from "../../../../support/rows.ts";
import { FIRST, MOVES, ORDERS, POLICIES, SECOND } from "./timeline-histories.ts";
import {
  ask,
  change,
  DOCKET,
  key,
  lines,
  put,
  SEEN_AT,
  service,
  type Timeline,
  useTimeline,
} from "./timeline-reader.ts";

useTimeline();

describe("a timeline", () => {
  it("of authorities tells each move once, whichever registry has it", async () => {
    await put(...MOVES);
    expect(await lines("authority")).toEqual([
      `2026-06-01 status_changed ${DOCKET} inactive: A new reason`,
      `2026-05-20 reinstated ${DOCKET} active: Reinstated`,
      `2026-05-01 suspended ${DOCKET} inactive: Involuntary Suspension - Insurance`,
      `2026-02-25 granted ${DOCKET} active: Granted`,
      `2021-06-08 ended ${DOCKET} REVOKED`,
      `2020-01-01 withdrawn ${DOCKET} withdrawn: Withdrawn`,
      `1986-07-18 granted ${DOCKET} GRANTED`,
    ]);
  });

  it("of orders has an order and its discontinuation as one entry", async () => {
    await put(...ORDERS);
    const notice = "Operating Authority Involuntary Suspension Notice";
    expect(await lines("order")).toEqual([
      `2026-11-10 order_served null ${notice} | 2026-11-10 | 2026-12-10`,
      `2026-09-01 order_discontinued ${DOCKET} ${notice} | 2026-09-01 | 2026-10-01 | 2026-09-15`,
      `2019-03-01 order_discontinued ${DOCKET} Discontinued Revocation | 2019-03-01`,
      `2005-11-07 order_discontinued ${DOCKET} INVOLUNTARY REVOCATION | 2005-11-07 | 2005-12-10 | 2005-11-29`,
      `2001-01-05 order_served ${DOCKET} INVOLUNTARY | 2001-01-05 | 2001-02-05`,
    ]);
  });

  it("of orders has no day of service that has not come, and finds the recorded change all the same", async () => {
    const { db } = service.context;
    await setDetection(db, { finishedAt: `${AS_OF}T11:20:05Z`, asOf: AS_OF });
    const notice = { docket: "MC303", usdot: 303, served_on: "2026-11-28", effective_on: "2026-12-28" };
    await put(["motus_revokesuspend", notice]);
    await putRows(db.pool, "carrier_change", {
      ...change(7, "order", "order", null, { order_type: "Notice" }, "2026-11-28"),
      docket: "MC303",
      usdot: 303,
    });
    const { data } = JSON.parse(await ask("", key, 200, 303)) as Timeline;
    expect(data.map(({ on, seen_at, action, details }) => [on, seen_at, action, details.served_on])).toEqual([
      ["2026-12-28", SEEN_AT, "order_served", null],
    ]);
    await removeRows(db.pool, "motus_revokesuspend", { docket: "MC303" });
    await removeRows(db.pool, "carrier_change", { usdot: 303 });
    await setDetection(db, null);
  });

  it("of policies has no renewal by the same insurer, and one entry for a replacement", async () => {
    await put(...POLICIES);
    expect(await lines("insurance")).toEqual([
      `2026-12-24 policy_cancelled ${DOCKET} 2024-01-01 | 2026-12-24 | ${FIRST}`,
      `2026-03-01 policy_replaced ${DOCKET} 2026-03-01 | First Mutual Co. | ${SECOND}`,
      `2024-02-20 policy_filed ${DOCKET} 2024-03-01 | 2025-03-01 | ${FIRST}`,
      `2024-01-01 policy_filed ${DOCKET} 2024-01-01 | 2026-12-24 | ${FIRST}`,
    ]);
  });
});
