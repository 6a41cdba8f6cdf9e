// The rules that read the keys of rows, and leave rows out.
import { docketlessKey, isWithoutDocket, readDocket, readUsdot } from "../../registry/docket.ts";
import { cleanText } from "../../registry/registry-text.ts";
import { meaningOf, UNKNOWN } from "../../registry/vocabularies/vocabularies.ts";
import type { CopyLines } from "../read/copy-lines.ts";
import type { FileReading, RowRule } from "./official-file.ts";
import { REASONS, reject, repair } from "./tally.ts";

/** The key of most legacy files: a docket, and maybe a USDOT number. */
export const docketKey = (docketColumn = "DOCKET_NUMBER"): RowRule => ({
  columns: [docketColumn, "DOT_NUMBER"],
  open: ({ at, row, tally }) => {
    const [docketAt, usdotAt] = [at(docketColumn), at("DOT_NUMBER")];
    return (line) => {
      row.docket = readDocket(line.field(docketAt));
      if (row.docket === null) return reject(tally, "no docket");
      row.usdot = readUsdot(line.field(usdotAt));
      return true;
    };
  },
});

/** The key of an order about a docket, or about a company. */
export const orderKey = (usdotColumn: "DOT_NUMBER" | "USDOT_NUMBER"): RowRule => ({
  columns: ["DOCKET_NUMBER", usdotColumn],
  open: ({ at, row, tally }) => {
    const [docketAt, usdotAt] = [at("DOCKET_NUMBER"), at(usdotColumn)];
    return (line) => {
      row.docket = readDocket(line.field(docketAt));
      row.usdot = readUsdot(line.field(usdotAt));
      return row.docket !== null || row.usdot !== null || reject(tally, "neither docket nor USDOT number");
    };
  },
});

/** The key of most Motus files: a docket, else the key that our tables store for an authority without one. */
export const motusKey: RowRule = {
  columns: ["DOCKET_NUMBER", "USDOT_NUMBER"],
  open: ({ at, row, tally }) => {
    const [docketAt, usdotAt] = [at("DOCKET_NUMBER"), at("USDOT_NUMBER")];
    return (line) => {
      const raw = line.field(docketAt);
      row.docket = readDocket(raw);
      row.usdot = readUsdot(line.field(usdotAt));
      if (row.docket !== null) return true;
      if (!isWithoutDocket(raw)) return reject(tally, "unreadable docket");
      if (row.usdot === null) return reject(tally, "neither docket nor USDOT number");
      repair(tally, REASONS.noDocket);
      row.docket = docketlessKey(row.usdot);
      return true;
    };
  },
};

/** The key of a company. */
export const usdotKey: RowRule = {
  columns: ["DOT_NUMBER"],
  open: ({ at, row, tally }) => {
    const usdotAt = at("DOT_NUMBER");
    return (line) => {
      row.usdot = readUsdot(line.field(usdotAt));
      return row.usdot !== null || reject(tally, REASONS.noUsdot);
    };
  },
};

/** Leaves out a row whose key has no USDOT number. */
export const withoutUsdot: RowRule = {
  columns: [],
  open:
    ({ row, tally }) =>
    () =>
      row.usdot !== null || reject(tally, REASONS.noUsdot),
};

/** Leaves out a row that has nothing but its key. In a daily difference it removes the stored rows of that key. */
export const nothingButKey: RowRule = {
  columns: [],
  open: (reading, content) => {
    const { isDifference, removalKeys, row, tally } = reading;
    const isEmpty = emptiness(reading, content);
    const typeAt = reading.at("OP_AUTH_TYPE");
    return (line) => {
      if (!isEmpty(line)) return true;
      if (!isDifference) return reject(tally, REASONS.nothingButKey);
      removalKeys.push({ ...row, opAuthType: cleanText(line.field(typeAt)) ?? "" });
      return false;
    };
  },
};

/** The same in a daily difference only: in a whole file such a row has a meaning. */
export const nothingButKeyOfDifference: RowRule = {
  columns: [],
  open: (reading, content) => (reading.isDifference ? nothingButKey.open(reading, content) : () => true),
};

/** Leaves out a row that has nothing but its key, for this reason. */
export const emptyRow = (reason: string): RowRule => ({
  columns: [],
  open: (reading, content) => {
    const isEmpty = emptiness(reading, content);
    return (line) => !isEmpty(line) || reject(reading.tally, reason);
  },
});

/** Two such cells in one row mean that a comma in a text moved all that follow it. */
const FEWEST_MISPLACED = 2;

/** The cells of an address, and what each must look like. */
interface AddressColumns {
  state: string;
  zip: string;
  country: string;
  county?: string;
}

/** Leaves out a row whose address is in the wrong columns: everything behind a stray comma would be told of the company. */
export const withoutShift = ({ state, zip, country, county }: AddressColumns): RowRule => ({
  columns: [],
  open: (reading) => {
    const { at, dataset } = reading;
    const [stateAt, zipAt, countryAt, countyAt] = [state, zip, country, county ?? ""].map(at) as [
      number,
      number,
      number,
      number,
    ];
    const isMisplaced = (line: CopyLines): boolean => {
      const found = [
        /[^A-Z]|.{3}/i.test(line.field(stateAt).trim()),
        /^[^0-9]+$/.test(line.field(zipAt).trim()),
        meaningOf(`${dataset}.${country}`, line.field(countryAt)) === UNKNOWN,
        countyAt >= 0 && /[^0-9]|.{4}/.test(line.field(countyAt).trim()),
      ];
      return found.filter(Boolean).length >= FEWEST_MISPLACED;
    };
    return (line) => {
      // Nearly all rows have codes of two letters here.
      if (line.field(stateAt).length <= 2 && line.field(countryAt).length <= 2) return true;
      if (!isMisplaced(line)) return true;
      reading.oddRows.push({ ...reading.row });
      return reject(reading.tally, REASONS.shifted);
    };
  },
});

// An empty field: blank, or zeros in any form of amounts and dates.
const NOTHING = /^\s*(0[\s0./]*(E-?\d+)?)?\s*$/i;

/** Whether the registry left every one of these columns blank or zero. */
function emptiness({ at }: FileReading, columns: readonly string[]): (line: CopyLines) => boolean {
  const indexes = columns.map(at);
  return (line) => indexes.every((index) => NOTHING.test(line.field(index)));
}

/** Reads the key of a row that is left out before its rules look at it, as far as it has so many fields. */
export function keyReader({ at }: FileReading): (line: CopyLines, width: number) => FileReading["row"] {
  const find = (...columns: string[]) => Math.max(...columns.map(at));
  const docketAt = find("DOCKET_NUMBER", "PREFIX_DOCKET_NUMBER");
  const usdotAt = find("DOT_NUMBER", "USDOT_NUMBER");
  const field = (line: CopyLines, index: number, width: number) =>
    index >= 0 && index < width ? line.field(index) : "";
  return (line, width) => ({
    docket: readDocket(field(line, docketAt, width)),
    usdot: readUsdot(field(line, usdotAt, width)),
  });
}
