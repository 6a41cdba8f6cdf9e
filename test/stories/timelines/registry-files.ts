// Rows of the registry's files, as the files have them, and folders of files with such rows, one for each day.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { OFFICIAL_FILES } from "../../../src/importer/official/official-files.ts";
import type { Dataset } from "../../../src/registry/datasets.ts";

const FIXTURES = path.join(import.meta.dirname, "../../fixtures/fmcsa");

/** Values by column. */
type Texts = Readonly<Record<string, string>>;

/** A row by the names of its columns, or a line with the columns in the order of the file. */
export type FileRow = Texts | string;

/** The rows of one company by file. */
type CompanyFiles = Partial<Record<Dataset, readonly FileRow[]>>;

/** A company: what is in the files of the first day, and the files in which it has other rows from a later day on. */
export interface Company {
  /** What its timeline shows. */
  shows: string;
  usdot: number;
  days: readonly CompanyFiles[];
  /** Its timeline, as a reader of these rows writes it; the order within a day does not matter. */
  timeline: readonly string[];
}

export const PROPERTY = "Motor Carrier of Property (Except Household Goods)";
export const BROKER = "Broker of Property";
export const SUSPENSION = "Operating Authority Involuntary Suspension Notice";

/** A company of the census: active, in Texas, with a legal form, a phone and an address that nobody else has. */
export const filed = (usdot: number, own: Texts = {}): FileRow => ({
  DOT_NUMBER: String(usdot),
  STATUS_CODE: "A",
  ADD_DATE: "20190304",
  MCS150_DATE: "20250304 1015",
  CARRIER_OPERATION: "A",
  BUSINESS_ORG_DESC: "CORPORATION",
  LEGAL_NAME: `COMPANY ${usdot} LLC`,
  PHY_STREET: `${usdot} OWN RD`,
  PHY_CITY: "AUSTIN",
  PHY_STATE: "TX",
  PHY_ZIP: "78701",
  PHY_COUNTRY: "US",
  PHONE: `512555${String(usdot).padStart(4, "0")}`,
  POWER_UNITS: "3",
  TOTAL_DRIVERS: "3",
  CRGO_GENFREIGHT: "X",
  ...own,
});

/** An authority that is active, in Motus Carrier. A carrier's lacks its insurance, so it is in a feed. */
export const held = (docket: string, usdot: number, type: string = PROPERTY, own: Texts = {}): FileRow => ({
  DOCKET_NUMBER: docket,
  USDOT_NUMBER: String(usdot),
  OP_AUTH_TYPE: type,
  OP_AUTH_STATUS: "Active",
  MIN_COV_AMOUNT: type === PROPERTY ? "750000" : "0",
  BIPD_FILE: "0",
  CARGO_REQ: "N",
  CARGO_FILE: "N",
  BOND_REQ: "N",
  BOND_FILE: "N",
  LEGAL_NAME: `COMPANY ${usdot} LLC`,
  BUS_STATE_CODE: "TX",
  BUS_CTRY_CODE: "US",
  ...own,
});

/** What no company of a story is about: without it the files would be of no day, or refused. */
const EVERYBODY: CompanyFiles = {
  census: [filed(899)],
  motus_carrier: [held("MC899", 899, BROKER)],
  legacy_authhist: ["MC899,899,,PROPERTY BROKER,GRANTED,01/02/2003,,,"],
  motus_revokesuspend: [`MC899,899,${BROKER},20261101,${SUSPENSION},20261201`],
  motus_insur: ["MC899,899,BMC-84,3,P,75000,0,B899,20200101,SURETY OF TEXAS,20200101"],
  motus_inshist: ["MC899,899,BMC-84,REPLACED,3,,B898,,0,P,20190101,0,75000,20200101,SURETY OF TEXAS"],
  oos_order: ["898,NOBODY LLC,,20200101,UNSATISFACTORY,INACTIVE,20200201"],
};

/** Writes the folder of a day, `day` 0 being the first. */
export async function writeDay(
  dir: string,
  companies: readonly Company[],
  { day, date }: { day: number; date: string },
): Promise<void> {
  await mkdir(dir, { recursive: true });
  // The newest row of this file tells the day of the files.
  const newest = [`MC899,899,${BROKER},Active,A new reason,${date.replaceAll("-", "")}`];
  const all = [EVERYBODY, { motus_authhist: newest }, ...companies.map((company) => filesOn(company, day))];
  for (const { dataset, header, aliases = {}, ids } of OFFICIAL_FILES) {
    const rows = all.flatMap((files) => files[dataset] ?? []);
    if (rows.length === 0) continue;
    const columns = dataset === "census" ? await censusColumns() : header;
    const lines = rows.map((row) => (typeof row === "string" ? row : lineOf(row, columns, aliases)));
    await writeFile(
      path.join(dir, `${dataset}-${ids[0]}.csv`),
      `${[columns.join(","), ...lines].join("\n")}\n`,
    );
  }
}

/** A later day has the files of the day before, but for those that the company has other rows in. */
const filesOn = ({ days }: Company, day: number): CompanyFiles =>
  Object.assign({}, ...days.slice(0, day + 1)) as CompanyFiles;

/** The row as a line of the file. Some names of columns are other names of documented ones. */
function lineOf(row: Texts, columns: readonly string[], aliases: Texts): string {
  const cells = new Map(Object.entries(row).map(([name, value]) => [aliases[name] ?? name, value]));
  const unknown = [...cells.keys()].filter((name) => !columns.includes(name));
  if (unknown.length > 0) throw new Error(`no column ${unknown}`);
  return columns.map((name) => cellOf(cells.get(name) ?? "")).join(",");
}

const cellOf = (text: string): string => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const censusColumns = async (): Promise<readonly string[]> =>
  (await sampleLines("census_company_sample.csv"))[0]?.split(",") ?? [];

const sampleLines = async (name: string): Promise<string[]> =>
  (await readFile(path.join(FIXTURES, name), "latin1")).split(/\r?\n/);

/** The lines of a real extract that have the text. */
export const linesOfSample = async (name: string, text: string): Promise<string[]> =>
  (await sampleLines(name)).filter((line) => line.includes(text));

/** Rows of a real extract in JSON, of one docket, by the names of their columns. */
export async function rowsOfSample(name: string, list: string, docket: string): Promise<FileRow[]> {
  const lists = JSON.parse(await readFile(path.join(FIXTURES, name), "utf8")) as Record<string, unknown>;
  const rows = lists[list] as Record<string, string>[];
  return rows
    .filter((row) => (row.docket_number ?? row.prefix_docket_number) === docket)
    .map((row) =>
      Object.fromEntries(Object.entries(row).map(([column, value]) => [column.toUpperCase(), value])),
    );
}
