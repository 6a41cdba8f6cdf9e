import { describe, expect, it } from "vitest";
import { grantedOn, type Rows, SUSPENDED, useRegistry } from "./state-of-rows.ts";

useRegistry();

const CARRIER: Rows[number] = ["motus_carrier", {}];

describe("the date of grant", () => {
  it("is the earliest, from either registry, if there was no break", async () => {
    expect(
      await grantedOn(
        CARRIER,
        ["motus_authhist", { changed_on: "2015-07-08", reason: "GRANTED" }],
        ["legacy_authhist", { action_on: "2010-08-31" }],
        ["legacy_authhist", { action: "REINSTATED", action_on: "2012-01-01" }],
      ),
    ).toEqual(["2010-08-31"]);
  });

  it("is that of the newest authority if it was revoked and granted again", async () => {
    expect(
      await grantedOn(
        CARRIER,
        ["legacy_authhist", { action_on: "2010-08-31", final_action: "REVOKED", final_on: "2014-01-01" }],
        ["motus_authhist", { changed_on: "2026-09-01" }],
        ["motus_authhist", { changed_on: "2026-10-01" }],
      ),
    ).toEqual(["2026-09-01"]);
  });

  // A reinstatement continues an authority, so the years before it count.
  it("does not change with a revocation that was reinstated", async () => {
    expect(
      await grantedOn(
        CARRIER,
        ["legacy_authhist", { action_on: "1986-07-18", final_action: "REVOKED", final_on: "2021-06-08" }],
        ["motus_authhist", { changed_on: "2021-06-15", reason: "REINSTATED" }],
      ),
    ).toEqual(["1986-07-18"]);
  });

  // 2.2 million proceedings of the legacy file ended like this: the authority never stopped.
  it("does not change with a revocation that was discontinued", async () => {
    expect(
      await grantedOn(
        CARRIER,
        ["legacy_authhist", { action_on: "2001-01-01" }],
        [
          "legacy_authhist",
          {
            action: "INVOLUNTARY REVOCATION",
            action_on: "2005-11-07",
            final_action: "DISCONTINUED REVOCATION",
            final_on: "2005-11-29",
          },
        ],
        ["motus_authhist", { changed_on: "2026-06-01" }],
      ),
    ).toEqual(["2001-01-01"]);
  });

  it.each([
    "REVOKED",
    "FAILURE TO REAPPLY",
    "ADMINISTRATIVE INACTIVATION",
    "TRANSFERRED",
    "TRANSFER CONSUMMATED",
    "OUT OF SERVICE",
    "SAFETY REVOCATION",
    "SAFETY SUSPENSION",
    "EXPIRED ETA OR TA",
    "TERM EXPIRED",
    "SOMETHING UNKNOWN",
  ])("starts again with a grant after %s", async (finalAction) => {
    expect(
      await grantedOn(
        CARRIER,
        ["legacy_authhist", { action_on: "2001-01-01", final_action: finalAction, final_on: "2005-01-01" }],
        ["legacy_authhist", { action_on: "2009-01-01" }],
      ),
    ).toEqual(["2009-01-01"]);
  });

  it.each(["SUPERSEDED", "RENUMBERED", "CANCELLED AND REISSUED"])(
    "does not start again after %s, which only changes papers",
    async (finalAction) => {
      expect(
        await grantedOn(
          CARRIER,
          ["legacy_authhist", { action_on: "2001-01-01", final_action: finalAction, final_on: "2005-01-01" }],
          ["legacy_authhist", { action_on: "2009-01-01" }],
        ),
      ).toEqual(["2001-01-01"]);
    },
  );

  it("orders an end before a new grant of the same day", async () => {
    expect(
      await grantedOn(
        CARRIER,
        ["motus_authhist", { changed_on: "2020-01-01" }],
        ["motus_authhist", { changed_on: "2026-06-01", status: "withdrawn", reason: "Withdrawn" }],
        ["motus_authhist", { changed_on: "2026-06-01" }],
      ),
    ).toEqual(["2026-06-01"]);
  });

  it("ignores other classes, rows with a future date, and grants that are not active", async () => {
    expect(
      await grantedOn(
        CARRIER,
        ["legacy_authhist", { authority_class: "broker", action_on: "1990-01-01" }],
        ["motus_authhist", { changed_on: "2027-01-01" }],
        ["motus_authhist", { changed_on: "2019-01-01", status: "pending" }],
      ),
    ).toEqual([null]);
  });
});

describe("the date of grant of common and contract authority", () => {
  const COMMON = { op_auth_type: "COMMON", authority_class: "carrier", action_on: "1990-01-15" };
  const CONTRACT = { op_auth_type: "MOTOR PROPERTY CONTRACT CARRIER" };
  const ended: Rows = [
    [
      "legacy_authhist",
      { ...CONTRACT, action_on: "1992-01-01", final_action: "REVOKED", final_on: "2005-01-01" },
    ],
    ["legacy_authhist", { ...CONTRACT, action_on: "2010-09-09" }],
  ];

  it("is that of the one that did not end", async () => {
    expect(await grantedOn(CARRIER, ["legacy_authhist", COMMON], ...ended)).toEqual(["1990-01-15"]);
    expect(await grantedOn(CARRIER, ...ended)).toEqual(["2010-09-09"]);
  });

  it("starts again after an end of both, of which the newest counts", async () => {
    const lost: Rows[number] = ["motus_authhist", { ...SUSPENDED, changed_on: "2012-01-01" }];
    const rows: Rows = [CARRIER, ["legacy_authhist", COMMON], ...ended, lost];
    expect(await grantedOn(...rows)).toEqual(["2010-09-09"]);
    expect(await grantedOn(...rows, ["motus_authhist", { changed_on: "2020-01-01" }])).toEqual([
      "2020-01-01",
    ]);
  });
});
