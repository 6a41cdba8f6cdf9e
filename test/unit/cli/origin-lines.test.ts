import { expect, it } from "vitest";
import { originLines } from "../../../src/cli/registry/report-lines.ts";

it("shows where each feed's rows come from, and what each rule left out", () => {
  const lines = originLines([
    {
      feed: "us_brokers",
      rowsAfter: 12,
      rowsBySource: { motus: 9, legacy: 3 },
      leftOut: { "authority not active": 4000, "revocation pending": 2 },
    },
    {
      feed: "us_small_carriers_active",
      rowsAfter: 7,
      rowsBySource: { motus: 7, legacy: 0 },
      leftOut: null,
    },
  ]);
  expect(lines).toEqual([
    "feed                      rows  by Motus  by legacy",
    "us_brokers                  12         9          3",
    "us_small_carriers_active     7         7          0",
    "",
    "feed        left out  authorities, by rule",
    "us_brokers      4000  authority not active",
    "us_brokers         2  revocation pending",
  ]);
});
