import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Row,
  removeGenerated,
  rows,
  textRows,
} from "../../../test/support/registry/generated-registry.ts";
import { shortFormOf } from "../../../test/support/registry/short-form.ts";
import { registryOf } from "./registry-of.ts";

afterAll(removeGenerated);

const DAYS = 4;
const dateOf = (day: number) => `2026100${day + 1}`;
const later = (date: string, days: number) => {
  const instant = Date.parse(`${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T00:00:00Z`);
  return new Date(instant + days * 86_400_000).toISOString().slice(0, 10).replaceAll("-", "");
};
const bare = (docket: string | undefined) => (docket ?? "").replace("-", "").replace(/^([A-Z]+)0+/, "$1");
const keyOf = (row: Row) => `${bare(row.DOCKET_NUMBER)} ${row.OP_AUTH_TYPE}`;
const policyKey = (row: Row) => (row.POLICY_NO ?? "").replace(/[^A-Z0-9]/g, "");
const isNotice = (row: Row) => /Involuntary Suspension Notice/.test(row.ORDER1_TYPE_DESC ?? "");
const isSuspension = (row: Row) => /^Involuntary Suspension - insurance/.test(row.REASON ?? "");

describe.each(shortFormOf([1, 7, 4_294_967_295]))("four days of 3,000 carriers from seed %i", (seed) => {
  let dir: string;
  const files: Record<"carrier" | "authhist" | "revokesuspend" | "insur" | "inshist", readonly Row[]>[] = [];
  const american = new Set<string>();
  beforeAll(async () => {
    dir = await registryOf({ seed, carriers: 3000, days: DAYS });
    for (const row of await rows(dir, DAYS - 1, "census.csv"))
      if (row.PHY_COUNTRY === "US" && !/\bTEST\b/.test(row.LEGAL_NAME ?? ""))
        american.add(row.DOT_NUMBER ?? "");
    for (let day = 0; day < DAYS; day += 1) {
      files.push({
        carrier: await rows(dir, day, "motus_carrier.csv"),
        authhist: await rows(dir, day, "motus_authhist.csv"),
        revokesuspend: await rows(dir, day, "motus_revokesuspend.csv"),
        insur: await rows(dir, day, "motus_insur.csv"),
        inshist: await rows(dir, day, "motus_inshist.csv"),
      });
    }
  });
  const on = (day: number) => files[day] as (typeof files)[number];
  const isWanted = (row: Row) =>
    american.has(row.USDOT_NUMBER ?? "") &&
    !/Passengers/.test(row.OP_AUTH_TYPE ?? "") &&
    row.DOCKET_NUMBER !== "";
  const news = (file: "authhist" | "revokesuspend") =>
    files.slice(1).flatMap((now, at) => {
      const before = new Set(on(at)[file].map((row) => JSON.stringify(row)));
      return now[file].filter((row) => isWanted(row) && !before.has(JSON.stringify(row)));
    });
  const activeOn = (day: number) =>
    new Set(
      on(day)
        .carrier.filter((row) => row.OP_AUTH_STATUS === "Active" && isWanted(row))
        .map(keyOf),
    );

  test("add each type of event", () => {
    const reasons = news("authhist").filter((row) => row.STATUS_CHANGE_DATE !== "20260514");
    const withReason = (pattern: RegExp) => reasons.filter((row) => pattern.test(row.REASON ?? ""));
    expect(withReason(/^Granted$/).length, "new_authority_granted").toBeGreaterThan(0);
    expect(withReason(/^Reinstated(?!.*#220)/).length, "reinstated").toBeGreaterThan(0);
    expect(reasons.filter(isSuspension).length, "insurance_cancellation_suspension").toBeGreaterThan(0);
    expect(news("revokesuspend").filter(isNotice).length, "revocation_pending").toBeGreaterThan(0);
    const lost = withReason(/^(Revoked|Withdrawn|Involuntary Suspension - BOC-3)/);
    expect(lost.length, "authority_inactive").toBeGreaterThan(0);
  });

  test("have records for both feeds", () => {
    const [today, { authhist, revokesuspend, inshist, carrier }] = [dateOf(DAYS - 1), on(DAYS - 1)];
    const active = activeOn(DAYS - 1);
    const pending = revokesuspend.filter(
      (row) =>
        isNotice(row) &&
        isWanted(row) &&
        active.has(keyOf(row)) &&
        (row.ORDER1_EFFECTIVE_DATE ?? "") > today &&
        !authhist.some(
          (cure) =>
            keyOf(cure) === keyOf(row) &&
            cure.OP_AUTH_STATUS === "Active" &&
            (cure.STATUS_CHANGE_DATE ?? "") >= (row.ORDER1_SERVE_DATE ?? ""),
        ),
    );
    expect(new Set(pending.map(keyOf)).size).toBeGreaterThanOrEqual(10);
    const ending = inshist.filter(
      (row) => row.FILING_STATUS_REASON === "CANCEL" && (row.CANCL_EFFECTIVE_DATE ?? "") > today,
    );
    expect(new Set(ending.map((row) => bare(row.DOCKET_NUMBER))).size).toBeGreaterThanOrEqual(10);
    const lacking = carrier.filter(
      (row) =>
        active.has(keyOf(row)) &&
        (Number(row.BIPD_FILE) < Number(row.MIN_COV_AMOUNT) ||
          (row.BOND_REQ === "Y" && row.BOND_FILE === "N")),
    );
    expect(lacking.length, "not on file").toBeGreaterThan(0);
    const suspended = authhist.filter(
      (row) => isSuspension(row) && (row.STATUS_CHANGE_DATE ?? "") > "20260905",
    );
    expect(suspended.length).toBeGreaterThan(0);
  });

  test("serve notices thirty days ahead; some are cured in time, the others take effect", () => {
    const { authhist, revokesuspend, carrier } = on(DAYS - 1);
    const ended = { cured: 0, suspended: 0, open: 0 };
    for (const row of revokesuspend) {
      const [served, effective] = [row.ORDER1_SERVE_DATE ?? "", row.ORDER1_EFFECTIVE_DATE ?? ""];
      // A few have no serve date, or an impossible one.
      if (!isNotice(row) || row.DOCKET_NUMBER === "" || served > "20261004" || !/^2026/.test(served))
        continue;
      // Of two orders served on one day, one takes effect later.
      expect([later(served, 30), later(served, 33)]).toContain(effective);
      const history = authhist.filter((other) => keyOf(other) === keyOf(row));
      const within = history.filter(
        ({ STATUS_CHANGE_DATE: date = "" }) => date >= served && date <= effective && date <= "20261004",
      );
      if (within.some((other) => other.OP_AUTH_STATUS === "Active" && other.REASON !== "Initial Status"))
        ended.cured += 1;
      else if (within.some((other) => /^(Involuntary|Revoked)/.test(other.REASON ?? ""))) {
        ended.suspended += 1;
        expect(
          // The first of several orders took effect up to three days earlier.
          history.filter((other) => (other.STATUS_CHANGE_DATE ?? "") >= later(effective, -3)).length,
        ).toBeGreaterThan(0);
        expect(carrier.some((other) => keyOf(other) === keyOf(row))).toBe(true);
      } else if (effective > "20261004") ended.open += 1;
      else throw new Error(`a notice without effect: ${JSON.stringify(row)}`);
    }
    for (const count of Object.values(ended)) expect(count).toBeGreaterThanOrEqual(5);
  });

  test("suspend companies whose insurer cancelled, on the day the cancellation takes effect", () => {
    const { authhist, insur, inshist, carrier } = on(DAYS - 1);
    let bereft = 0;
    for (const row of authhist.filter(isSuspension)) {
      const cancelled = inshist.filter(
        (other) =>
          bare(other.DOCKET_NUMBER) === bare(row.DOCKET_NUMBER) &&
          other.FILING_STATUS_REASON === "CANCEL" &&
          other.CANCL_EFFECTIVE_DATE === row.STATUS_CHANGE_DATE,
      );
      expect(cancelled.length, JSON.stringify(row)).toBeGreaterThan(0);
      const isFiledAgain = insur.some(
        (other) =>
          bare(other.DOCKET_NUMBER) === bare(row.DOCKET_NUMBER) &&
          (other.TRANS_DATE ?? "") >= (row.STATUS_CHANGE_DATE ?? ""),
      );
      for (const held of carrier.filter((other) => keyOf(other) === keyOf(row))) {
        if (held.OP_AUTH_STATUS !== "Inactive" || isFiledAgain) continue;
        if (/Carrier/.test(held.OP_AUTH_TYPE ?? "")) expect(Number(held.BIPD_FILE)).toBe(0);
        else expect(held.BOND_FILE).toBe("N");
        bereft += 1;
      }
    }
    expect(bereft).toBeGreaterThan(10);
  });

  test("have every way in which a policy ends or continues", () => {
    const { insur, inshist } = on(DAYS - 1);
    const reasons = new Set(inshist.map((row) => row.FILING_STATUS_REASON));
    for (const reason of ["CANCEL", "Cancelled", "TERM/REPL", "NAMECHG"]) expect(reasons).toContain(reason);
    const native = inshist.filter((row) => (row.CANCL_EFFECTIVE_DATE ?? "") > "20260514");
    const others = (row: Row) =>
      insur.filter(
        (other) => bare(other.DOCKET_NUMBER) === bare(row.DOCKET_NUMBER) && kindOf(other) === kindOf(row),
      );
    // A bond and a trust fund replace each other.
    const kindOf = ({ INS_TYPE_CODE: type = "" }: Row) => (type > "2" ? "security" : type);
    const cancelled = native.filter((row) => row.FILING_STATUS_REASON === "CANCEL");
    const isReplaced = (row: Row) =>
      others(row).some(
        (other) =>
          policyKey(other) !== policyKey(row) &&
          (other.EFFECTIVE_DATE ?? "") > "2026" &&
          (other.EFFECTIVE_DATE ?? "") <= (row.CANCL_EFFECTIVE_DATE ?? ""),
      );
    const isRefiled = (row: Row) =>
      others(row).some(
        (other) =>
          policyKey(other) === policyKey(row) &&
          (other.TRANS_DATE ?? "") > later(row.CANCL_EFFECTIVE_DATE ?? "", -30) &&
          (other.TRANS_DATE ?? "") <= (row.CANCL_EFFECTIVE_DATE ?? ""),
      );
    const isLost = (row: Row) =>
      others(row).every((other) => policyKey(other) === policyKey(row)) && !isRefiled(row);
    expect(cancelled.some(isReplaced), "cancelled and replaced").toBe(true);
    expect(cancelled.some(isRefiled), "cancelled and refiled").toBe(true);
    expect(cancelled.some(isLost), "cancelled").toBe(true);
    for (const row of native.filter(
      (other) => other.FILING_STATUS_REASON === "TERM/REPL" && policyKey(other) !== "",
    ))
      expect(
        others(row).some((other) => policyKey(other) !== policyKey(row)) || isGone(row),
        JSON.stringify(row),
      ).toBe(true);
    const isDateless = (row: Row) => row.CANCL_EFFECTIVE_DATE === "";
    expect(inshist.some(isDateless)).toBe(true);
  });
  // Its replacement may have ended since.
  const isGone = (row: Row) =>
    on(DAYS - 1).inshist.some(
      (other) => bare(other.DOCKET_NUMBER) === bare(row.DOCKET_NUMBER) && policyKey(other) !== policyKey(row),
    );

  test("have amounts in Motus Carrier that agree with the policies in force", () => {
    const today = dateOf(DAYS - 1);
    const { carrier, insur, inshist } = on(DAYS - 1);
    const native = insur.filter((row) => (row.TRANS_DATE ?? "") > "20260514" && row.INS_TYPE_CODE === "1");
    let covered = 0;
    for (const row of native) {
      const docket = bare(row.DOCKET_NUMBER);
      if (docket === "") continue;
      const ended = inshist.some(
        (other) => bare(other.DOCKET_NUMBER) === docket && policyKey(other) === policyKey(row),
      );
      if (ended || !/^20(0|1|2[0-6])/.test(row.EFFECTIVE_DATE ?? "") || (row.EFFECTIVE_DATE ?? "") > today)
        continue;
      const held = carrier.filter(
        (other) => bare(other.DOCKET_NUMBER) === docket && /Carrier/.test(other.OP_AUTH_TYPE ?? ""),
      );
      for (const other of held) {
        expect(other.BIPD_FILE).toMatch(/^\d+(\.0{18})?$/);
        const amended = 250_000;
        expect(Number(other.BIPD_FILE) + amended).toBeGreaterThanOrEqual(Number(row.MAX_COV_AMOUNT));
        covered += 1;
      }
    }
    expect(covered).toBeGreaterThan(10);
  });

  test("remove policies from the file of policies, and add some", () => {
    const keys = (day: number) =>
      new Set(on(day).insur.map((row) => `${bare(row.DOCKET_NUMBER)} ${policyKey(row)}`));
    const [first, last] = [keys(0), keys(DAYS - 1)];
    expect([...first].some((key) => !last.has(key))).toBe(true);
    expect([...last].some((key) => !first.has(key))).toBe(true);
  });

  test("have future cancellations in the legacy files", async () => {
    const pending = (await rows(dir, 0, "legacy_actpendinsur.csv")).filter(
      (row) => row.cancl_effective_date !== "",
    );
    expect((await textRows(dir, "legacy_insur.txt")).length).toBeGreaterThan(0);
    for (const { cancl_effective_date: date = "" } of pending)
      expect(`${date.slice(6)}${date.slice(0, 2)}${date.slice(3, 5)}` > "20260514").toBe(true);
  });
});
