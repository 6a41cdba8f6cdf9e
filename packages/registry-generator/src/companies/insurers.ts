import type { Random } from "../random.ts";

// Invented companies; any likeness is a coincidence. One has letters outside ASCII.
const INSURERS = [
  "Lanternfield Insurance Company",
  "Harrow & Vale Casualty Co.",
  "Old Quarry Mutual Insurance Company",
  "Brightwater Indemnity Company",
  "Copper Mesa Insurance Company, Inc.",
  "Steadfast Haulers Risk Retention Group, Inc.",
  "Granite Fork National Insurance Company",
  "Prairie Lark Fire & Marine Insurance Co.",
  "Northgate Surety Company",
  "Vessel & Wagon Insurance Company",
  "Seguros Peñalta Mutual",
  "Twin Elk Assurance Company",
];
const SURETIES = [
  "Northgate Surety Company",
  "Keystone Arch Surety & Guaranty Co.",
  "Brightwater Indemnity Company",
  "Silver Otter Trust Company",
  "Pinehollow Bonding Company, LLC",
];

/** The insurer of a policy, bond or trust fund, as Motus writes it. The legacy files write it in capitals. */
export const insurerOf = (random: Random, isBond: boolean): string =>
  random.pick(isBond ? SURETIES : INSURERS);

const LETTERS = ["CAP", "TRK", "MRV", "BA", "CGV", "L", "PCA", "EBA", "T", "72TRS"];

/** A policy number as insurers write it: with blanks, with dashes, or with neither. */
export function policyNumber(random: Random): string {
  const letters = random.pick(LETTERS);
  const digits = String(random.between(100_000, 9_999_999));
  switch (random.between(0, 3)) {
    case 0:
      return `${letters}${digits}`;
    case 1:
      return `${letters} ${digits}-${random.between(10, 29)}`;
    case 2:
      return `${letters}-${digits}-DM`;
    default:
      return `${letters} ${digits.slice(0, 3)} ${digits.slice(3)}`;
  }
}

/** The same number in another spelling: only its letters and digits are the same. */
export const retyped = (number: string): string => number.replace(/[ -]/g, "");
