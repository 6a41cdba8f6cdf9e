// What the page of a carrier says of it, from rows of the registry to the text that a person reads.
import { describe, expect, it } from "vitest";
import { putChanges } from "../../../../support/registry/recorded-changes.ts";
import { knowOutOfService } from "../../../../support/registry/source-days.ts";
import { blankContacts, removeBusinesses } from "../../../../support/removals/removals.ts";
import { removeRows } from "../../../../support/rows.ts";
import {
  AS_OF,
  html,
  lines,
  NOW,
  section,
  service,
  signedIn,
  textOf,
  useCarrierPages,
} from "./carrier-pages.ts";
import { FIRST_ENDED, SUSPENSION } from "./carriers.ts";
import { ENDS } from "./insurance-ends.ts";

useCarrierPages();

describe("the first line", () => {
  it.each<[usdot: number, expected: string[]]>([
    [1001, ["May haul: yes"]],
    [1002, ["May haul: yes, until 29 November (suspension ordered)"]],
    [1003, ["May haul: yes, insurance ends 4 December (cancellation filed)"]],
    [1004, ["May haul: no (out of service since 3 November)"]],
    [1005, ["May haul: no (authority suspended on 15 November)", "May arrange: yes"]],
    [
      1006,
      [
        "May haul: not known (suspension ordered for 21 November, the files of 20 November do not say that it took effect)",
      ],
    ],
    [1007, ["May haul: no ($750,000 of insurance is required, $300,000 is on file)"]],
    [1008, ["May haul: yes"]],
    [1009, ["May haul: yes, until 1 December (suspension ordered)"]],
    [
      1010,
      [
        "May haul: not known (the files do not say how much insurance is required or on file)",
        "May arrange: yes",
      ],
    ],
    [1013, ["May haul: yes"]],
    ...[1014, 1018, 1019].map((usdot): [number, string[]] => [
      usdot,
      [
        "May haul: not known (suspension ordered for 14 November, the files of 20 November do not say that it took effect)",
      ],
    ]),
    [1015, ["May haul: yes"]],
    [1016, ["May haul: yes"]],
    [1017, ["May haul: yes"]],
    ...[1020, 1021, 1023, 1028, 1031, 1032].map((usdot): [number, string[]] => [usdot, ["May haul: yes"]]),
    ...[1022, 1025, 1027].map((usdot): [number, string[]] => [
      usdot,
      ["May haul: not known (insurance ended 1 November, no other one is in force)"],
    ]),
    [1024, ["May haul: not known (insurance ended 1 October, no other one is in force)"]],
    [1026, ["May arrange: not known (insurance ended 1 November, no other one is in force)"]],
    [1029, ["May haul: yes, cargo insurance ends 5 December (cancellation filed)"]],
    [1030, ["May haul: not known (cargo insurance ended 21 November, no other one is in force)"]],
    [1034, ["May haul: yes, insurance ends 26 December (cancellation filed)"]],
    [1033, ["May haul: yes, until 28 December (suspension ordered)"]],
  ])("of %i", async (usdot, expected) => {
    expect(await lines(usdot)).toEqual(expected);
  });

  it.each(ENDS.map(([name, , expected], index) => ({ name, usdot: FIRST_ENDED + index, expected })))(
    "after an end of insurance, with $name",
    async ({ usdot, expected }) => {
      expect(await lines(usdot)).toEqual([expected]);
    },
  );

  it("does not say yes while the file of orders out of service is missing", async () => {
    await removeRows(service.context.db.pool, "source", { dataset: "oos_order" });
    expect(await lines(1001)).toEqual([
      "May haul: not known (the file of out-of-service orders is missing or too old)",
    ]);
    expect(await section(1001, "Safety")).toContain("Out of service not known");
    await knowOutOfService(service.context.db.pool, { asOf: AS_OF, at: NOW });
  });

  it("says yes until the last second before an order takes effect", async () => {
    service.clock.set("2026-11-20T23:59:59Z");
    const earlier = await signedIn({ us_small_carriers_active: null, us_revocation_pending: null });
    expect(await lines(1006, earlier)).toEqual(["May haul: yes, until 21 November (suspension ordered)"]);
    service.clock.set(NOW);
  });

  it("says the day of the files, and that a status is the legacy registry's", async () => {
    expect(textOf(await html(1001))).toContain(
      "May haul: yes By the registry's files of 20 November. A day begins and ends in UTC. USDOT",
    );
    expect(textOf(await html(1013))).toContain(
      "An authority is as the legacy registry had it on 14 May 2026; no file has changed it since.",
    );
  });
});

describe("the blocks", () => {
  it("say the authority, insurance, safety and contact in words", async () => {
    expect(await section(1001, "Authority")).toContain(
      "MC1001 carrier of property active, granted 1 March 2024",
    );
    expect(await section(1001, "Insurance")).toBe(
      "Liability required $750,000 Liability on file $750,000 Insurer TWIN &lt;ELK&gt; CO Covers since 1 January 2025 " +
        "Cancellation none filed, or another policy follows",
    );
    expect(await section(1001, "Safety")).toBe("Out of service no Safety rating satisfactory, of 6 May 2019");
    expect(await section(1001, "Contact")).toBe("Phone 5125551001 Address 1 MAIN ST, AUSTIN, TX, 78701");
  });

  it("say what is announced, what ended, and by which words", async () => {
    expect(await section(1002, "Authority")).toContain(
      "active; suspension ordered for 29 November, served 30 October",
    );
    expect(await section(1003, "Insurance")).toContain(
      "Cancellation insurance of EXAMPLE INSURANCE CO ends 4 December, no other one follows",
    );
    const ended = await section(1005, "Authority");
    expect(ended).toContain(`suspended on 15 November ${SUSPENSION}`);
    expect(await section(1005, "Insurance")).toBe(
      "Bond or trust fund on file Insurer not in the files Cancellation none filed, or another policy follows",
    );
    expect(await section(1004, "Safety")).toContain(
      "Out of service yes, since 3 November The registry's words IMMINENT HAZARD",
    );
  });
});

describe("a cancellation", () => {
  const told = async (usdot: number) => (await section(usdot, "Insurance")).split(" Cancellation ")[1];

  it("is told in the block as in the first line", async () => {
    // The feed of alerts has it: 7 November is later than the day after the end. Today it is covered.
    expect(await section(1020, "Insurance")).toContain("Covers since 7 November Cancellation none filed, or");
    expect(await told(1022)).toBe(
      "insurance of EXAMPLE INSURANCE CO ended 1 November, no other one is in force",
    );
    expect(await told(1030)).toBe(
      "cargo insurance of EXAMPLE INSURANCE CO ended 21 November, no other one is in force",
    );
    expect(await told(1029)).toBe(
      "cargo insurance of EXAMPLE INSURANCE CO ends 5 December, no other one follows by then",
    );
  });
});

describe("an order served on a day that has not come", () => {
  it("has no day of service, and is listed by the day it takes effect", async () => {
    expect(await section(1033, "Authority")).toMatch(/suspension ordered for 28 December [^,]*Motus$/);
    expect(await section(1033, "What happened")).toContain(
      "28 December Order to suspend or revoke takes effect MC1033",
    );
  });
});

describe("what happened", () => {
  it("stands below the facts and the form that watches the carrier, in words and shown days", async () => {
    const changes = [
      { usdot: 1001, field: "usdot_status", before: "A", after: "I" },
      { usdot: 1001, field: "power_units", before: null, after: 7 },
      { usdot: 1001, field: "mcs150_date", before: "2025-03-01", after: null },
    ];
    await putChanges(service.context.db, changes, new Date("2026-11-20T12:00:00Z"));
    const happened = await section(1001, "What happened");
    expect(happened).toContain("USDOT status changed from active to inactive");
    expect(happened).toContain("Trucks is new: 7");
    expect(happened).toContain("MCS-150 date is no longer on record: 1 March 2025");
    const headings = [...(await html(1001)).matchAll(/<h2>(.*?)<\/h2>/g)].map(([, heading]) => heading);
    expect(headings.slice(0, 6)).toEqual([
      "Authority",
      "Insurance",
      "Safety",
      "Contact",
      "Watch",
      "What happened",
    ]);
  });

  it("tells the days of orders as the rest of the page does", async () => {
    expect(await section(1002, "What happened")).toContain("served, takes effect on 29 November");
  });
});

describe("the feeds", () => {
  const WHY = "Why it is or is not in your feeds";

  it("each have a line: in it, or why not, and no feed beside those of the plan", async () => {
    expect(await section(1001, WHY)).toBe(
      "Active small carriers in it " +
        "Revocation pending not in it No order that suspends or revokes its authority is pending. " +
        "Brokers and freight forwarders not in it It has no authority as broker or freight forwarder.",
    );
    expect(await section(1010, WHY)).toContain(
      "Active small carriers not in it It has 34 trucks. The feed has companies with 1 to 20.",
    );
    expect(await section(1002, WHY)).toContain(
      "Active small carriers not in it An order ends its authority on 2026-11-29.",
    );
  });

  it("tell nothing of states outside of the plan", async () => {
    expect(await section(1011, WHY)).toContain(
      "Brokers and freight forwarders not in it It is outside the states of your plan.",
    );
    const all = await signedIn({ us_small_carriers_active: null, us_brokers: null });
    expect(await section(1011, WHY, all)).toContain("Brokers and freight forwarders in it");
  });

  it("tell nothing of a removal", async () => {
    const { db, clock } = service.context;
    await blankContacts(db, ["5125551012"], clock.now());
    expect(await html(1012)).toContain("404 ");
    await removeBusinesses(db, [1008], clock.now());
    const gone = await html(1008);
    expect(gone).toContain("404 ");
    expect(gone).not.toMatch(/CARRIER|May haul|removal/);
  });
});
