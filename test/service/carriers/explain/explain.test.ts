import { describe, expect, it } from "vitest";
import { explainCarrier } from "../../../../src/carriers/explain/explain.ts";
import { OperatorError } from "../../../../src/platform/operator-error.ts";
import type { RegistryRows as Rows } from "../../../support/registry/derived-registry.ts";
import type { RegistryRow as Row } from "../../../support/registry/registry-rows.ts";
import { emptyTables } from "../../../support/rows.ts";
import { company, context, explained, history, useExplanations, verdict } from "./explained.ts";

useExplanations();

it("names the blanked contacts and the reasons", async () => {
  const others = Array.from({ length: 5 }, (_, index): Rows[number] => [
    "census",
    { usdot: 2000 + index, phone: "3605550142" },
  ]);
  const { blanked_contacts } = await explained(
    ...company({ phone: "3605550142", cell_phone: "3605550143", email: "x@filing.example" }),
    ...others,
    [
      "agent_contact",
      { kind: "email_domain", value: "filing.example", shipped: false, note: "files for many" },
    ],
  );
  expect(blanked_contacts).toEqual([
    {
      field: "email",
      value: "x@filing.example",
      why: "an agent's: its domain is on the list (files for many)",
    },
    { field: "phone", value: "3605550142", why: "shared: 6 active USDOT numbers file it" },
  ]);
});

it("knows a company without authorities, and one that is not in the census", async () => {
  const bare = await explained(["census", { usdot: 1001 }]);
  expect(bare).toMatchObject({ census: { usdot: 1001 }, authorities: [] });
  expect(verdict(bare, "us_small_carriers_active")).toMatchObject({ is_in: false });
  await emptyTables(context.db.pool, "census");
  const unlisted = await explained(["motus_carrier", { usdot: 1001, docket: "MC123" }]);
  expect(unlisted.census).toBeNull();
  expect(verdict(unlisted, "us_small_carriers_active")).toEqual({
    is_in: false,
    because: ["MC123 (carrier of property): the census does not know its USDOT number"],
  });
});

it("refuses an unknown USDOT number with one sentence", async () => {
  const unknown = explainCarrier(context, 4_040_404);
  await expect(unknown).rejects.toThrow(OperatorError);
  await expect(unknown).rejects.toThrow(/^The registry has no USDOT number 4040404: .* Check the number\.$/);
});

describe("the status of an authority", () => {
  const decided = async (...rows: Rows) => (await explained(...rows)).authorities[0];
  const lost = { changed_on: "2026-11-19", status: "inactive", reason: "Revoked" };

  it("is explained by the file that decides it", async () => {
    expect((await decided(...company()))?.decided_by).toBe("decided by Motus Carrier");
  });

  it("is explained by the loss that Carrier does not show", async () => {
    expect(await decided(...company(), history(lost))).toMatchObject({
      status: "inactive",
      decided_by:
        "decided by Motus AuthHist: inactive on 2026-11-19 (Revoked); Carrier says active, and the safer of the two counts",
    });
  });

  it("is explained by the history if Carrier has no row", async () => {
    const rows = (await decided(["census", { usdot: 1001 }], history(lost)))?.decided_by;
    expect(rows).toBe(
      "decided by the newest row of Motus AuthHist: inactive on 2026-11-19 (Revoked); Carrier has no row",
    );
  });

  it("is explained for an authority without a docket", async () => {
    const { feeds } = await explained(
      ["census", { usdot: 1001 }],
      ["motus_carrier", { usdot: 1001, docket: "DOT1001" }],
    );
    expect(feeds.find(({ feed }) => feed === "us_small_carriers_active")?.because[0]).toMatch(
      /^no docket \(carrier of property\): is active/,
    );
  });

  it("names the order that is shown, of several", async () => {
    const order = (row_id: string, effective_on: string): [string, Row] => [
      "motus_revokesuspend",
      { row_id, docket: "MC123", usdot: 1001, served_on: null, effective_on },
    ];
    const { feeds } = await explained(
      ...company(),
      order("00000000-0000-0000-0000-000000000001", "2026-12-05"),
      order("00000000-0000-0000-0000-000000000002", "2026-12-01"),
    );
    expect(feeds.find(({ feed }) => feed === "us_revocation_pending")?.because[0]).toMatch(
      /revocation pending \(no day of service that counts\), effective 2026-12-01 .*, the first of 2 orders to take effect$/,
    );
  });
});
