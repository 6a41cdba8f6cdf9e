import { describe, expect, test } from "vitest";
import { updateRegistry } from "../../../src/registry/authorities/update-registry.ts";
import { openTouchedDockets } from "../../../src/registry/merge/merge.ts";
import { difference, merge, staging, stored, useStaging } from "./merged-files.ts";
import { TODAY } from "./stage/staging.ts";

useStaging();

describe("motus_insur:", () => {
  const removal = (docket: string) => ({
    DOCKET_NUMBER: docket,
    USDOT_NUMBER: "",
    INS_FORM_CODE: "",
    INS_TYPE_CODE: "",
    INS_CLASS_CODE: "",
    MAX_COV_AMOUNT: "00000",
    UNDERL_LIM_AMOUNT: "00000",
    POLICY_NO: "",
    EFFECTIVE_DATE: "",
    INSURANCE_COMPANY_NAME: "",
    TRANS_DATE: "",
  });
  const policy = (docket: string, policyNo: string) => ({
    DOCKET_NUMBER: docket,
    USDOT_NUMBER: "1",
    POLICY_NO: policyNo,
  });
  const policies = () => stored("motus_insur", "docket || ' ' || policy_key");

  test("without a removal, policies are added", async () => {
    await merge("motus_insur", [policy("MC1", "A"), policy("MC2", "B")]);
    expect(await difference("motus_insur", [policy("MC1", "C")])).toMatchObject({
      inserted: 1,
      deleted: 0,
      touched: [],
    });
    expect(await policies()).toEqual(["MC1 A", "MC1 C", "MC2 B"]);
  });

  test("a removal deletes its docket's policies; the file's other rows of that docket stay, in any order", async () => {
    await merge("motus_insur", [policy("MC1", "A"), policy("MC1", "B"), policy("MC2", "A")]);
    const rows = [
      policy("MC1", "C"),
      removal("MC-000001"),
      policy("MC1", "B"),
      removal("MC1"),
      removal("MC5"),
    ];
    expect(await difference("motus_insur", rows)).toMatchObject({
      inserted: 1,
      deleted: 1,
      touched: [],
    });
    expect(await policies()).toEqual(["MC1 B", "MC1 C", "MC2 A"]);
    expect(await difference("motus_insur", rows)).toMatchObject({ inserted: 0, deleted: 0, touched: [] });
  });

  // It is stored under the docket of its company.
  test("a removal without a docket deletes the company's policies without one", async () => {
    const filed = (row: Record<string, string>) => ({ ...row, USDOT_NUMBER: "21" });
    await merge("motus_carrier", [filed({ DOCKET_NUMBER: "MC1" })]);
    await merge("motus_insur", [filed(policy("", "A")), filed(policy("MC1", "B"))]);
    await staging.context.db.bulkTransaction(async (client) => {
      await openTouchedDockets(client);
      await client.query("INSERT INTO touched_docket VALUES ('MC1')");
      await updateRegistry(client, { asOf: TODAY, previousAsOf: null });
    });
    expect(await policies()).toEqual(["MC1 A", "MC1 B"]);
    expect(await difference("motus_insur", [filed(removal(""))])).toMatchObject({ inserted: 0, deleted: 1 });
    expect(await policies()).toEqual(["MC1 B"]);
  });

  test("a policy without a number is a policy", async () => {
    await merge("motus_insur", [policy("MC1", "A")]);
    expect(await difference("motus_insur", [policy("MC1", "")])).toMatchObject({ inserted: 1, deleted: 0 });
    expect(await policies()).toEqual(["MC1 ", "MC1 A"]);
  });

  test("the next whole file decides", async () => {
    await merge("motus_insur", [policy("MC1", "A"), policy("MC2", "B")]);
    await difference("motus_insur", [removal("MC1"), policy("MC3", "C")]);
    expect(await policies()).toEqual(["MC2 B", "MC3 C"]);
    await merge("motus_insur", [policy("MC1", "A"), policy("MC2", "B"), removal("MC2")]);
    expect(await policies()).toEqual(["MC1 A", "MC2 B"]);
  });
});
