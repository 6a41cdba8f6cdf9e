import { expect } from "vitest";
import type { AuthorityFacts, CompanyFacts, Cover } from "../../../src/carriers/decision/facts.ts";
import { type Answer, mayOperate, type Outcome } from "../../../src/carriers/decision/may-operate.ts";

const TODAY = "2026-11-22";

const COMPANY: CompanyFacts = {
  usdot: 1001,
  asOf: "2026-11-20",
  usdotStatus: "A",
  isOutOfService: false,
  outOfServiceSince: null,
  outOfServiceReason: null,
  safetyRating: null,
  safetyRatingOn: null,
};

const COVER: Cover = {
  required: 750_000,
  onFile: 750_000,
  isCargoRequired: false,
  isCargoOnFile: false,
  isBondRequired: false,
  isBondOnFile: false,
  bondForm: null,
  insurer: "GREAT PLAINS CASUALTY",
  effectiveOn: "2026-01-01",
  isChecked: true,
  cancellation: null,
};

const AUTHORITY: AuthorityFacts = {
  docket: "MC123",
  authorityClass: "carrier_property",
  status: "active",
  statusSource: "motus",
  grantedOn: "2024-01-01",
  lastChange: null,
  orders: [],
  isRevocationUndated: false,
  cover: COVER,
};

export const BROKER: Partial<AuthorityFacts> = {
  authorityClass: "broker",
  cover: { ...COVER, required: null, onFile: null, isBondRequired: true, isBondOnFile: true },
};
export const MOVER: Partial<AuthorityFacts> = {
  authorityClass: "carrier_hhg",
  cover: { ...COVER, isCargoRequired: true, isCargoOnFile: true },
};

export const order = (effectiveOn: string, kind: "suspension" | "revocation" = "suspension") => ({
  kind,
  servedOn: null,
  effectiveOn,
});
export const cancelled = (on: string): Partial<AuthorityFacts> => ({
  cover: { ...COVER, cancellation: { insuranceType: "bipd", on, insurer: null } },
});
export const covered = (cover: Partial<Cover>): Partial<AuthorityFacts> => ({
  cover: { ...COVER, ...cover },
});
export const ended = (meaning: string, status = "inactive"): Partial<AuthorityFacts> => ({
  status,
  lastChange: { on: "2026-11-03", status, reason: "words", meaning },
});

export const answers = (
  authorities: readonly Partial<AuthorityFacts>[],
  company: Partial<CompanyFacts> = {},
  today = TODAY,
): Answer[] =>
  mayOperate(
    { ...COMPANY, ...company },
    authorities.map((authority) => ({ ...AUTHORITY, ...authority })),
    today,
  );

export function outcome(...asked: Parameters<typeof answers>): Outcome {
  const [first, ...more] = answers(...asked);
  expect(more).toEqual([]);
  return (first as Answer).outcome;
}

export const YES: Outcome = { may: "yes", limit: null };
export const no = (code: string, more = {}) => ({ may: "no", because: { code, ...more } });
export const gap = (code: string, more = {}) => ({ may: "not known", missing: { code, ...more } });
