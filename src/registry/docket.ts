import { cleanCapitals, cleanText, plainNumber } from "./registry-text.ts";

const USDOT = /^0*([1-9]\d{0,7})$/;
/** USDOT numbers have up to 8 digits. */
export const LARGEST_USDOT = 99_999_999;
const DOCKET = /^(MC|FF|MX)0*([1-9]\d{0,7})$/;

/** A USDOT number, with leading zeros (`00295017`) or without. Null for none, which the registry also writes as 0. */
export function readUsdot(raw: string | undefined): number | null {
  if (raw === undefined || raw === "") return null;
  const plain = plainNumber(raw);
  if (plain > 0 && plain <= LARGEST_USDOT) return plain;
  const digits = USDOT.exec(cleanText(raw) ?? "")?.[1];
  return digits === undefined ? null : Number(digits);
}

/**
 * A docket number in its normal form, prefix and number without leading zeros: `MC139446` for `MC-139446`, `mc 139446`
 * and `MC0139446`; null when the text is no docket.
 */
export function readDocket(raw: string | undefined): string | null {
  if (raw !== undefined && raw === lastRead.raw) return lastRead.docket;
  const docket = canonicalDocket(raw);
  if (raw !== undefined) lastRead = { raw, docket };
  return docket;
}

/** The last docket is remembered, since histories have many rows of the same docket in a row. */
let lastRead: { raw: string; docket: string | null } = { raw: "", docket: null };

function canonicalDocket(raw: string | undefined): string | null {
  const text = cleanCapitals(raw);
  if (text === null) return null;
  const parts = DOCKET.exec(text) ?? DOCKET.exec(text.replace(/[^A-Z0-9]/g, ""));
  return parts ? `${parts[1]}${parts[2]}` : null;
}

/** What stands before a number: its kind, and words and signs that do not part one number from the next. */
const KIND =
  /\b(?:(MC|FF|MX|M\.C\.|F\.F\.|M\.X\.)|(?:U\.?\s?S\.?[\s-]?)?D\.?O\.?T)[^\p{L}\p{N},;|]*(?:(?:number|no)[^\p{L}\p{N},;|]*)?(?<!\s-)(?=\d)/giu;

/** The text with DOT, MC, FF or MX right before each number that has its kind: `USDOT No. 101, M.C. 102` is `DOT101, MC102`. */
export const joinKinds = (text: string): string =>
  text.replace(KIND, (_all, docket?: string) => ` ${docket?.replaceAll(".", "") ?? "DOT"}`);

const ONE_USDOT = /^\s*DOT(\d+)\s*$/;
const ONE_DOCKET = /^\s*((?:MC|FF|MX)\d+)\s*$/i;

/** A USDOT number as customers write it, alone or with its kind: `3750891`, `USDOT 3750891`, `U.S. DOT No. 3750891`. */
export const typedUsdot = (text: string): number | null =>
  readUsdot(text) ?? readUsdot(ONE_USDOT.exec(joinKinds(text))?.[1]);

/** Signs that make another number of the digits around them, or two: `12.5`, `12-13`. */
const PARTED_DIGITS = /\d\s*[^\p{L}\d\s,]+\s*\d/u;

/** A docket number as customers write it, in its normal form: also `MC No. 1498345`. */
export const typedDocket = (text: string): string | null =>
  PARTED_DIGITS.test(text) ? null : (readDocket(text) ?? readDocket(ONE_DOCKET.exec(joinKinds(text))?.[1]));

const NO_DOCKET = /^(MC|FF|MX)?0*$/;

/** Whether a docket field holds no docket: it is blank, or only zeros with or without a prefix. */
export const isWithoutDocket = (raw: string): boolean =>
  NO_DOCKET.test((cleanCapitals(raw) ?? "").replace(/[^A-Z0-9]/g, ""));

/**
 * The key that our tables store for an authority without a docket, made of its holder's USDOT number. The database
 * function shown_docket() makes it null again.
 */
export const docketlessKey = (usdot: number): string => `DOT${usdot}`;
