// What the page of a carrier says of it, from rows of the registry to the text that a person reads.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signInLink } from "../../../../../src/accounts/sessions/sign-in-links.ts";
import { settableClock } from "../../../../support/clock.ts";
import { setDetection } from "../../../../support/events/events.ts";
import { publishRegistry, type RegistryRows } from "../../../../support/registry/derived-registry.ts";
import { putChanges } from "../../../../support/registry/recorded-changes.ts";
import type { RegistryRow } from "../../../../support/registry/registry-rows.ts";
import { knowOutOfService } from "../../../../support/registry/source-days.ts";
import { blankContacts, removeBusinesses } from "../../../../support/removals/removals.ts";
import { removeRows } from "../../../../support/rows.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";

const AS_OF = "2026-11-20";
const NOW = "2026-11-22T12:00:00Z";
const BROKER = { authority_class: "broker", op_auth_type: "Broker of Property (Except Household Goods)" };
const SUSPENSION = "Involuntary Suspension - insurance cancellation effective; no active insurance";

let service: TestService;
let cookie: string;

/** A carrier with authority and insurance, and its docket of the same number. */
const carrier = (usdot: number, authority: RegistryRow = {}, census: RegistryRow = {}): RegistryRows => [
  ["census", { usdot, legal_name: `CARRIER ${usdot}`, phone: `512555${usdot}`, ...census }],
  [
    "motus_carrier",
    { usdot, docket: `MC${usdot}`, min_coverage: 750_000, bipd_on_file: 750_000, ...authority },
  ],
];
const broker = (usdot: number, authority: RegistryRow = {}): RegistryRows[number] => [
  "motus_carrier",
  { usdot, docket: `MC${usdot}`, ...BROKER, bond_required: true, bond_on_file: true, ...authority },
];
const history = (usdot: number, row: RegistryRow): RegistryRows[number] => [
  "motus_authhist",
  { usdot, docket: `MC${usdot}`, changed_on: "2024-03-01", ...row },
];
const order = (usdot: number, row: RegistryRow): RegistryRows[number] => [
  "motus_revokesuspend",
  { usdot, docket: `MC${usdot}`, served_on: "2026-10-30", ...row },
];
const policy = (usdot: number, row: RegistryRow = {}): RegistryRows[number] => [
  "motus_insur",
  { docket: `MC${usdot}`, usdot, class_code: "P", policy_key: "A1", insurer: "TWIN <ELK> CO", ...row },
];
const cancellation = (usdot: number, cancelledOn: string, row: RegistryRow = {}): RegistryRows[number] => [
  "motus_inshist",
  { docket: `MC${usdot}`, usdot, class_code: "P", policy_key: "A1", cancelled_on: cancelledOn, ...row },
];
/** A mover with cargo insurance, which is required of it unless `authority` says otherwise. */
const mover = (usdot: number, authority: RegistryRow = {}): RegistryRows => {
  const ofGoods = { authority_class: "carrier_hhg", op_auth_type: "Motor Carrier of Household Goods" };
  return carrier(usdot, { ...ofGoods, cargo_required: true, cargo_on_file: true, ...authority });
};
const CARGO = { type_code: "2", policy_key: "C1" };
const SECURITY = { type_code: "3", policy_key: "S1" };
/** A carrier that only the legacy registry has. */
const legacyCarrier = (usdot: number, row: RegistryRow = {}): RegistryRows => [
  ["census", { usdot, legal_name: `LEGACY ${usdot}`, phone: `512555${usdot}` }],
  [
    "legacy_carrier",
    {
      usdot,
      docket: `MC${usdot}`,
      common_stat: "A",
      property: true,
      min_coverage: 750_000,
      bipd_on_file: 1_000_000,
      ...row,
    },
  ],
];
const legacyMover = (usdot: number): RegistryRows =>
  legacyCarrier(usdot, { property: false, household_goods: true });
/** A policy of the legacy registry with the day it was filed, and without it. */
const datedPolicy = (usdot: number, row: RegistryRow = {}): RegistryRows[number] => [
  "legacy_actpendinsur",
  { docket: `MC${usdot}`, usdot, policy_key: "L1", effective_on: "2025-05-05", ...row },
];
const undatedPolicy = (usdot: number, row: RegistryRow = {}): RegistryRows[number] => [
  "legacy_insur",
  { docket: `MC${usdot}`, policy_key: "L1", effective_on: "2025-05-05", ...row },
];

type Case = [name: string, rows: (usdot: number) => RegistryRows, expected: string];

const YES = "May haul: yes";
const ENDED = "May haul: not known (insurance ended 1 November, no other one is in force)";
/** Insurance that ended or ends, and what cures that. `A1` is the policy that ended. */
const ENDS: Case[] = [
  [
    "a policy of the legacy registry, which gives the status",
    (usdot) => [...legacyCarrier(usdot), cancellation(usdot, "2026-11-01"), datedPolicy(usdot)],
    YES,
  ],
  [
    "a policy of the legacy registry without the day of its end",
    (usdot) => [...legacyCarrier(usdot), cancellation(usdot, "2026-11-01"), undatedPolicy(usdot)],
    YES,
  ],
  [
    "a policy of the legacy registry that ended, whatever its other file says",
    (usdot) => [
      ...legacyCarrier(usdot),
      cancellation(usdot, "2026-11-01"),
      datedPolicy(usdot, { cancelled_on: "2026-05-20" }),
      undatedPolicy(usdot),
    ],
    ENDED,
  ],
  [
    "a policy of the legacy registry that Motus says was cancelled",
    (usdot) => [
      ...legacyCarrier(usdot),
      cancellation(usdot, "2026-11-01", { policy_key: "L1" }),
      datedPolicy(usdot),
    ],
    ENDED,
  ],
  [
    "a policy of the legacy registry for another kind of insurance",
    (usdot) => [
      ...legacyCarrier(usdot),
      cancellation(usdot, "2026-11-01"),
      datedPolicy(usdot, { insurance_type: "CARGO" }),
    ],
    ENDED,
  ],
  [
    "a policy of the legacy registry while Motus gives the status",
    (usdot) => [...carrier(usdot), cancellation(usdot, "2026-11-01"), datedPolicy(usdot)],
    ENDED,
  ],
  [
    "nothing: the legacy registry itself said that the policy would end",
    (usdot) => [...legacyCarrier(usdot), datedPolicy(usdot, { cancelled_on: "2026-11-01" })],
    ENDED,
  ],
  [
    "another policy of the legacy registry, after one that it said would end",
    (usdot) => [
      ...legacyCarrier(usdot),
      datedPolicy(usdot, { cancelled_on: "2026-11-01" }),
      datedPolicy(usdot, { policy_key: "L2" }),
    ],
    YES,
  ],
  [
    "nothing to cure: the policy ended before the legacy registry's last word on what is on file",
    (usdot) => [...legacyCarrier(usdot), datedPolicy(usdot, { cancelled_on: "2026-05-10" })],
    YES,
  ],
  [
    "nothing to cure: a mover's cargo insurance is with the legacy registry",
    (usdot) => [...legacyMover(usdot), datedPolicy(usdot, { insurance_type: "CARGO" })],
    YES,
  ],
  [
    "nothing to cure: a mover's cargo insurance is with the legacy registry, without the day of its end",
    (usdot) => [...legacyMover(usdot), undatedPolicy(usdot, { type_code: "2" })],
    YES,
  ],
  [
    "nothing: the legacy registry said that a mover's cargo insurance would end, whatever its other file says",
    (usdot) => [
      ...legacyMover(usdot),
      datedPolicy(usdot, { insurance_type: "CARGO", cancelled_on: "2026-11-01" }),
      undatedPolicy(usdot, { type_code: "2" }),
    ],
    "May haul: not known (cargo insurance ended 1 November, no other one is in force)",
  ],
  [
    "nothing to cure: no file has cargo insurance of the mover",
    legacyMover,
    "May haul: not known (the files do not say whether its cargo insurance is on file)",
  ],
  [
    "no liability insurance, as none is required",
    (usdot) => [...carrier(usdot, { min_coverage: 0 }), cancellation(usdot, "2026-11-01")],
    YES,
  ],
  [
    "no bond, as none is required",
    (usdot) => [
      broker(usdot, { bond_required: false, bond_on_file: false }),
      ...carrier(usdot).slice(0, 1),
      cancellation(usdot, "2026-11-01", SECURITY),
    ],
    "May arrange: yes",
  ],
  [
    "the same policy, filed again from a later day",
    (usdot) => [
      ...carrier(usdot),
      cancellation(usdot, "2026-11-01"),
      policy(usdot, { filed_on: "2026-11-09", effective_on: "2026-12-15" }),
    ],
    ENDED,
  ],
  [
    "the same policy, filed again after the notice from a later day",
    (usdot) => [
      ...carrier(usdot),
      cancellation(usdot, "2026-11-01", { effective_on: "2025-01-01" }),
      policy(usdot, { filed_on: "2026-10-20", effective_on: "2026-12-15" }),
    ],
    ENDED,
  ],
  [
    "the same policy, filed again with a day that cannot be read",
    (usdot) => [
      ...carrier(usdot),
      cancellation(usdot, "2026-11-01"),
      policy(usdot, { filed_on: "2026-11-09", effective_on: null }),
    ],
    YES,
  ],
  [
    "a later term of the same policy, filed before the end",
    (usdot) => [
      ...carrier(usdot),
      cancellation(usdot, "2026-11-01", { effective_on: "2025-11-01" }),
      policy(usdot, { filed_on: "2026-09-01", effective_on: "2026-11-01" }),
    ],
    YES,
  ],
  [
    "the term itself, which was cancelled on its first day and remains on file",
    (usdot) => [
      ...carrier(usdot),
      cancellation(usdot, "2026-11-01", { effective_on: "2026-11-01" }),
      policy(usdot, { filed_on: "2026-09-01", effective_on: "2026-11-01" }),
    ],
    ENDED,
  ],
  [
    "a policy without a readable number that began at the end",
    (usdot) => [
      ...carrier(usdot),
      cancellation(usdot, "2026-11-01"),
      policy(usdot, { policy_key: "", filed_on: "2026-10-20", effective_on: "2026-11-01" }),
    ],
    YES,
  ],
  [
    "a policy without a readable number that began before: it may be the one that ended",
    (usdot) => [
      ...carrier(usdot),
      cancellation(usdot, "2026-11-01"),
      policy(usdot, { policy_key: "", filed_on: "2026-09-01", effective_on: "2026-09-01" }),
    ],
    ENDED,
  ],
  [
    "an excess policy without a readable number",
    (usdot) => [
      ...carrier(usdot),
      cancellation(usdot, "2026-11-01"),
      policy(usdot, {
        policy_key: "",
        class_code: "E",
        filed_on: "2026-11-01",
        effective_on: "2026-11-01",
      }),
    ],
    ENDED,
  ],
  [
    "nothing to cure: the policy that ended is another company's",
    (usdot) => [...carrier(usdot), cancellation(usdot, "2026-11-01", { usdot: 9 })],
    YES,
  ],
  [
    "no policy that another company has on the docket",
    (usdot) => [
      ...carrier(usdot),
      cancellation(usdot, "2026-11-01"),
      policy(usdot, { usdot: 9, policy_key: "B2", filed_on: "2026-10-20", effective_on: "2026-10-25" }),
    ],
    ENDED,
  ],
  [
    "no policy of another company that ends later",
    (usdot) => [
      ...carrier(usdot),
      cancellation(usdot, "2026-11-01"),
      cancellation(usdot, "2026-12-20", { usdot: 9, policy_key: "B2", effective_on: "2025-06-01" }),
    ],
    ENDED,
  ],
  [
    "another policy that ends later, before the end that is still to come",
    (usdot) => [
      ...carrier(usdot),
      policy(usdot),
      cancellation(usdot, "2026-12-01"),
      cancellation(usdot, "2026-12-20", { policy_key: "B2", effective_on: "2025-06-01" }),
    ],
    "May haul: yes, insurance ends 20 December (cancellation filed)",
  ],
  [
    "another policy that ends later, from a day that cannot be read",
    (usdot) => [
      ...carrier(usdot),
      cancellation(usdot, "2026-11-01"),
      cancellation(usdot, "2026-12-20", { policy_key: "B2", effective_on: null }),
    ],
    "May haul: yes, insurance ends 20 December (cancellation filed)",
  ],
  [
    "another policy that ends later and is still to begin",
    (usdot) => [
      ...carrier(usdot),
      cancellation(usdot, "2026-11-01"),
      cancellation(usdot, "2026-12-20", { policy_key: "B2", effective_on: "2026-11-25" }),
    ],
    ENDED,
  ],
];
const FIRST_ENDED = 1101;

const ROWS: RegistryRows = [
  ...carrier(1001, {}, { safety_rating: "satisfactory", safety_rating_on: "2019-05-06" }),
  history(1001, {}),
  policy(1001),
  ...carrier(1002),
  order(1002, { effective_on: "2026-11-29" }),
  ...carrier(1003),
  policy(1003),
  cancellation(1003, "2026-12-04"),
  ...carrier(1004),
  ["oos_order", { usdot: 1004, ordered_on: "2026-11-03", reason: "IMMINENT HAZARD" }],
  // Its carrier authority was suspended; the broker's keeps it in the feeds.
  ...carrier(1005, { status: "inactive" }),
  history(1005, { status: "inactive", reason: SUSPENSION, changed_on: "2026-11-15" }),
  broker(1005),
  ...carrier(1006),
  order(1006, { effective_on: "2026-11-21" }),
  ...carrier(1007, { bipd_on_file: 300_000 }),
  // Another policy follows the one that ends.
  ...carrier(1008),
  policy(1008),
  cancellation(1008, "2026-12-04"),
  policy(1008, { policy_key: "B2", effective_on: "2026-12-04", filed_on: "2026-11-10" }),
  ...carrier(1009),
  order(1009, {
    effective_on: "2026-12-01",
    order_type: "Operating Authority Voluntary Suspension Notice",
  }),
  ...carrier(1010, { min_coverage: null, bipd_on_file: null }, { power_units: 34 }),
  broker(1010),
  ...carrier(1011, {}, { state: "CA" }),
  broker(1011),
  ...carrier(1012),
  broker(1012, { docket: "MC2012" }),
  // An order whose day came: no file says what followed, it was cured, and it is settled after a week.
  ...carrier(1014),
  order(1014, { served_on: "2026-10-15", effective_on: "2026-11-14" }),
  ...carrier(1015),
  order(1015, { served_on: "2026-10-15", effective_on: "2026-11-14" }),
  history(1015, { reason: "Discontinued Revocation", changed_on: "2026-11-10" }),
  ...carrier(1016),
  order(1016, { served_on: "2026-10-14", effective_on: "2026-11-13" }),
  // A suspension that it asked for and took back.
  ...carrier(1017),
  order(1017, {
    effective_on: "2026-12-01",
    order_type: "Operating Authority Voluntary Suspension Notice",
  }),
  history(1017, { reason: "Reinstated", changed_on: "2026-11-10" }),
  // An order of a class that is not known, and one under the docket's former prefix.
  ...carrier(1018),
  order(1018, { authority_class: "unknown", served_on: "2026-10-15", effective_on: "2026-11-14" }),
  ...carrier(1019),
  order(1019, { docket: "MX1019", served_on: "2026-10-15", effective_on: "2026-11-14" }),
  // Its insurance ended, and another one began later: before the day of the files, after it, and not yet.
  ...[1020, 1021, 1022].flatMap((usdot) => [...carrier(usdot), cancellation(usdot, "2026-11-01")]),
  policy(1020, { policy_key: "B2", effective_on: "2026-11-07", filed_on: "2026-11-08" }),
  policy(1021, { policy_key: "B2", effective_on: "2026-11-22", filed_on: "2026-11-19" }),
  policy(1022, { policy_key: "B2", effective_on: "2026-11-23", filed_on: "2026-11-19" }),
  // The same policy was filed again after it had ended.
  ...carrier(1023),
  cancellation(1023, "2026-11-01", { effective_on: "2026-10-20" }),
  policy(1023, { effective_on: "2026-10-20", filed_on: "2026-11-09" }),
  // A lapse of which the feed of alerts no longer tells.
  ...carrier(1024),
  cancellation(1024, "2026-10-01"),
  // An excess policy and a bond that end later.
  ...carrier(1025),
  cancellation(1025, "2026-11-01"),
  cancellation(1025, "2026-11-12", { class_code: "E", policy_key: "E1" }),
  cancellation(1025, "2026-12-10", { class_code: "E", policy_key: "E2" }),
  ...carrier(1026, {
    authority_class: "freight_forwarder",
    op_auth_type: "Freight Forwarder",
    bond_required: true,
    bond_on_file: true,
  }),
  cancellation(1026, "2026-11-01"),
  cancellation(1026, "2026-12-10", SECURITY),
  // Policies that followed each other: the last one ended without another one. One that never began is none.
  ...carrier(1027),
  cancellation(1027, "2024-03-03", { effective_on: "2023-03-03" }),
  cancellation(1027, "2026-11-01", { policy_key: "B2", effective_on: "2024-03-03" }),
  cancellation(1027, "2026-11-15", { policy_key: "D4", effective_on: "2026-11-15" }),
  // The last one goes on: its notice of cancellation was taken back.
  ...carrier(1028),
  cancellation(1028, "2024-03-03"),
  cancellation(1028, "2026-11-10", { policy_key: "B2", effective_on: "2024-03-03" }),
  policy(1028, { policy_key: "B2", effective_on: "2024-03-03", filed_on: "2026-11-05" }),
  // A policy that ended was taken out again, and ends again. Only the second end is still to come.
  ...carrier(1034),
  cancellation(1034, "2015-10-02", { effective_on: "2014-05-12" }),
  cancellation(1034, "2026-12-26", { effective_on: "2021-02-12" }),
  // Cargo insurance of movers, and of one that needs none.
  ...mover(1029),
  cancellation(1029, "2026-12-05", CARGO),
  ...mover(1030),
  cancellation(1030, "2026-11-21", CARGO),
  ...mover(1031, { cargo_required: false }),
  cancellation(1031, "2026-11-21", CARGO),
  ...carrier(1032),
  cancellation(1032, "2026-11-21", CARGO),
  // An order that is said to be served on a day that has not come.
  ...carrier(1033),
  order(1033, {
    served_on: "2026-11-28",
    effective_on: "2026-12-28",
    order_type: "Operating Authority Voluntary Suspension Notice",
  }),
  ...legacyCarrier(1013),
  ...ENDS.flatMap(([, rows], index) => rows(FIRST_ENDED + index)),
];

beforeAll(async () => {
  service = await startTestService({ clock: settableClock(NOW) });
  const { db, clock } = service.context;
  await knowOutOfService(service.context.db.pool, { asOf: AS_OF, at: NOW });
  await db.bulkTransaction((client) => publishRegistry(client, ROWS, { asOf: AS_OF, now: clock.now() }));
  await setDetection(db, { finishedAt: `${AS_OF}T11:20:05Z`, asOf: AS_OF });
  cookie = await signedIn({
    us_small_carriers_active: null,
    us_brokers: ["TX"],
    us_revocation_pending: null,
  });
});
afterAll(() => service.stop());

/** The cookie of a customer whose plan has these feeds and states. */
async function signedIn(feeds: Record<string, string[] | null>): Promise<string> {
  const { accountId } = await service.createAccount({ feeds });
  const link = new URL(await signInLink(service.context, accountId)).pathname;
  const answer = await fetch(service.url + link, { method: "POST", redirect: "manual" });
  return answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}

const html = async (usdot: number, who = cookie): Promise<string> => {
  const answer = await service.get(`/dashboard/carriers/${usdot}`, undefined, { Cookie: who });
  return `${answer.status === 200 ? "" : `${answer.status} `}${await answer.text()}`;
};
const textOf = (part: string): string =>
  part
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll("&#39;", "'")
    .trim();

/** The first lines. */
const lines = async (usdot: number, who = cookie): Promise<string[]> =>
  [...(await html(usdot, who)).matchAll(/<p class="verdict \w+">(.*?)<\/p>/g)].map(([, text]) => text ?? "");

/** The text from one heading to the next. */
async function section(usdot: number, heading: string, who = cookie): Promise<string> {
  const [, after = ""] = (await html(usdot, who)).split(`<h2>${heading}</h2>`);
  return textOf(after.split("<h2>")[0] ?? "");
}

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
