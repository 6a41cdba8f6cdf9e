// A registry of companies, each group of which shows one rule of connections. Every company has an address of its own, an
// active USDOT number and an active authority unless its group says otherwise.
import type { Row } from "../../../../support/rows.ts";

export const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

export const PHONE = "5125550142";

/** The companies of the feed, those that are asked for. */
export const ASKED = [
  401, 402, 410, 420, 440, 520, 521, 540, 545, 550, 553, 560, 563, 565, 570, 573, 580, 581, 590, 591, 600,
  601, 610, 620, 625, 650, 655, 660, 665,
];

/** Those of them that are natural persons, whose connections are no one's business. */
export const PERSONS = [520, 521];

/** What no answer may show. */
export const SECRETS = [
  PHONE,
  "alphafreight.com",
  "same@",
  "100 SHARED",
  "POL-88-1234",
  "FIRSTMUTUAL",
  "FIRST MUTUAL",
];

export const census: Row[] = [];
export const authority: Row[] = [];

const NONE = { phone: null, cell_phone: null, email: null, prior_usdot: null };

/** A company of the census. */
function company(usdot: number, own: Row = {}): void {
  census.push({
    ...NONE,
    usdot,
    legal_name: `COMPANY ${usdot} LLC`,
    street: `${usdot} OWN RD`,
    is_individual: false,
    ...own,
  });
}

/** A company with an authority. */
function carrier(usdot: number, own: Row = {}, held: Row = {}): void {
  company(usdot, own);
  authority.push({
    usdot,
    docket: `MC${usdot}`,
    granted_on: null,
    registry_name: null,
    registry_state: null,
    ...held,
  });
}

// Two signs, one sign, a person, and another state.
const SHARED = { phone: PHONE, street: "100 Shared Street, Suite 5", zip: "78701-1234" };
carrier(401, { ...SHARED }, { granted_on: "2026-10-12" });
carrier(
  402,
  { ...SHARED, street: "100 SHARED ST #5", zip: "78701", status_code: "I" },
  { status: "inactive" },
);
carrier(403, { cell_phone: PHONE });
carrier(404, { ...SHARED, legal_name: "NATURAL PERSON", is_individual: true });
carrier(406, { ...SHARED, state: "OH" });

// Too many: six active ones; 20 in all are few enough, 21 are not.
for (const usdot of range(410, 415)) carrier(usdot, { phone: "5125550410", email: `${usdot}@franchise.com` });
for (const [first, last] of [
  [420, 439],
  [440, 460],
] as const)
  for (const usdot of range(first, last))
    carrier(
      usdot,
      { phone: `5125550${first}`, street: `${first} PARK AVE`, status_code: usdot === first ? "A" : "I" },
      { status: usdot === first ? "active" : "inactive" },
    );

// Five active ones are few enough.
for (const usdot of range(610, 614)) carrier(usdot, { phone: "5125550610", street: "610 HILL CT" });

// Natural persons can't be asked for.
carrier(520, { legal_name: "JOHN SAMPLE", is_individual: true });
carrier(521, { legal_name: "JANE SAMPLE", is_individual: null });

// Contacts of agents, and a blanked one.
for (const usdot of [540, 541]) carrier(usdot, { phone: "5125550540", email: "same@filings.com" });
for (const usdot of [545, 546])
  carrier(usdot, { phone: "5125550545", email: "same@many.com", street: "545 ELM ST" });

// Free mail, a domain of its own, and the same address at one.
carrier(550, { phone: "5125550550", email: "one@gmail.com" });
carrier(551, { phone: "5125550550", email: "other@gmail.com" });
carrier(553, { phone: "5125550553", email: "same@alphafreight.com" });
carrier(554, { phone: "5125550553", email: "other@alphafreight.com" });
carrier(555, { email: "same@alphafreight.com" });

// Addresses.
for (const usdot of [560, 561, 562]) carrier(usdot, { street: "560 OAK LANE" });
carrier(563, { street: "563 OAK ST STE 5" });
carrier(564, { street: "563 OAK ST STE 6" });
carrier(565, { street: "565 NORTH PINE DRIVE UNIT 2", zip: "02101", state: "MA", email: "same@gmail.com" });
carrier(566, { street: "565 N. Pine Dr. #2", zip: "2101", state: "MA", email: "same@gmail.com" });

// A docket that others had: 571 is in no census.
carrier(570);
for (const usdot of [572, 573]) company(usdot, { status_code: "I" });
const former = { status: "inactive", registry_name: "FORMER HOLDER INC", registry_state: "TX" };
authority.push({ usdot: 571, docket: "MC570", granted_on: null, ...former });

// Declarations. The registry does not know 589.
carrier(580, { prior_usdot: 581 });
company(581, { status_code: "I" });
carrier(582, { prior_usdot: 580 });
company(583, { status_code: "I" });
carrier(584, { prior_usdot: 589 });

for (const usdot of range(590, 594)) carrier(usdot);
// 600 had the phone and the address that 601 has, and in the legacy file what 602 has.
carrier(600);
carrier(601, { phone: "5125550600", street: "600 FORMER BLVD" });
carrier(602, { phone: "5125550602", email: "602@gmail.com" });

// A franchise: six active ones have the domain. Two of them have a phone together, which is one sign.
for (const usdot of range(620, 625))
  carrier(usdot, { email: `${usdot}@brandmovers.com`, phone: usdot < 622 ? "5125550620" : null });

// A filing service that no list of agents names: its phone and its domain are those of 21 numbers, one of them active.
for (const usdot of range(630, 650))
  carrier(
    usdot,
    { phone: "5125550630", email: `client${usdot}@newfilings.com`, status_code: usdot === 650 ? "A" : "I" },
    { status: usdot === 650 ? "active" : "inactive" },
  );

// A virtual office: five active ones at one suite. One of them has the domain of another, too.
for (const usdot of range(655, 659)) {
  const domain = [655, 658].includes(usdot) ? "twofleets.com" : `carrier${usdot}.com`;
  carrier(usdot, { street: "655 CONGRESS AVE STE 300", email: `${usdot}@${domain}` });
}

// A family: two companies of one home, with one phone, and a member who hauls alone. The registry can't tell it from a successor.
const HOME = { phone: "5125550660", street: "660 FARM ROAD 12" };
for (const usdot of [660, 661]) carrier(usdot, HOME);
carrier(662, { ...HOME, legal_name: "JOHN SAMPLE", is_individual: true });

// A chain: the second has the phone and the address of the first, the third the e-mail and the domain of the second.
carrier(665, { phone: "5125550665", street: "665 CHAIN ST" });
carrier(666, {
  phone: "5125550665",
  street: "665 CHAIN ST",
  cell_phone: "5125550666",
  email: "666@gmail.com",
});
carrier(667, { cell_phone: "5125550666", email: "666@gmail.com" });
