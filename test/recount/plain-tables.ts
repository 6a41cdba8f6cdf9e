import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parse } from "csv-parse/sync";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";

const words = (text: string): string[] => text.trim().split(/\s+/);

/** The registry files that the recount reads, with columns for files that have no header or may be absent. */
const FILES: Readonly<Record<string, { name: string; hasHeader: boolean; columns: string[] }>> = {
  census: { name: "census.csv", hasHeader: true, columns: [] },
  motus_carrier: { name: "motus_carrier.csv", hasHeader: true, columns: [] },
  motus_authhist: { name: "motus_authhist.csv", hasHeader: true, columns: [] },
  motus_revokesuspend: {
    name: "motus_revokesuspend.csv",
    hasHeader: true,
    columns: words(
      "DOCKET_NUMBER USDOT_NUMBER OP_AUTH_TYPE ORDER1_SERVE_DATE ORDER1_TYPE_DESC ORDER1_EFFECTIVE_DATE",
    ),
  },
  motus_insur: {
    name: "motus_insur.csv",
    hasHeader: true,
    columns: words(`
      DOCKET_NUMBER USDOT_NUMBER INS_FORM_CODE INS_TYPE_CODE INS_CLASS_CODE MAX_COV_AMOUNT POLICY_NO EFFECTIVE_DATE
      INSURANCE_COMPANY_NAME TRANS_DATE`),
  },
  motus_inshist: {
    name: "motus_inshist.csv",
    hasHeader: true,
    columns: words(`
      DOCKET_NUMBER USDOT_NUMBER FILING_STATUS_REASON INS_TYPE_CODE INS_CLASS_CODE POLICY_NO EFFECTIVE_DATE
      CANCL_EFFECTIVE_DATE INSURANCE_COMPANY_NAME`),
  },
  legacy_carrier: {
    name: "legacy_carrier.txt",
    hasHeader: false,
    columns: words(`
      DOCKET_NUMBER DOT_NUMBER MX_TYPE RFC_NUMBER COMMON_STAT CONTRACT_STAT BROKER_STAT COMMON_APP_PEND
      CONTRACT_APP_PEND BROKER_APP_PEND COMMON_REV_PEND CONTRACT_REV_PEND BROKER_REV_PEND PROPERTY_CHK PASSENGER_CHK
      HHG_CHK PRIVATE_AUTH_CHK ENTERPRISE_CHK MIN_COV_AMOUNT CARGO_REQ BOND_REQ BIPD_FILE CARGO_FILE BOND_FILE
      UNDELIVERABLE_MAIL DBA_NAME LEGAL_NAME BUS_STREET_PO BUS_COLONIA BUS_CITY BUS_STATE_CODE BUS_CTRY_CODE
      BUS_ZIP_CODE BUS_TELNO BUS_FAX MAIL_STREET_PO MAIL_COLONIA MAIL_CITY MAIL_STATE_CODE MAIL_CTRY_CODE
      MAIL_ZIP_CODE MAIL_TELNO MAIL_FAX`),
  },
  legacy_authhist: { name: "legacy_authhist.csv", hasHeader: true, columns: [] },
  legacy_insur: {
    name: "legacy_insur.txt",
    hasHeader: false,
    columns: words(`
      PREFIX_DOCKET_NUMBER INS_TYPE_CODE INS_CLASS_CODE MAX_COV_AMOUNT UNDERL_LIM_AMOUNT POLICY_NO EFFECTIVE_DATE
      INS_FORM_CODE NAME_COMPANY`),
  },
  legacy_actpendinsur: {
    name: "legacy_actpendinsur.csv",
    hasHeader: true,
    columns: words(`
      DOCKET_NUMBER INS_TYPE_DESC NAME_COMPANY POLICY_NO TRANS_DATE EFFECTIVE_DATE CANCL_EFFECTIVE_DATE`),
  },
  legacy_inshist: {
    name: "legacy_inshist.txt",
    hasHeader: false,
    columns: words(`
      DOCKET_NUMBER DOT_NUMBER INS_FORM_CODE CANCL_METHOD_GEN INS_CANCL_FORM INS_TYPE_IND INS_TYPE_DESC POLICY_NO
      MIN_COV_AMOUNT INS_CLASS_CODE EFFECTIVE_DATE UNDERL_LIM_AMOUNT MAX_COV_AMOUNT CANCL_EFFECTIVE_DATE CANCL_METHOD
      INSER_BRANCH NAME_COMPANY`),
  },
  oos_order: {
    name: "oos_order.csv",
    hasHeader: true,
    columns: words("DOT_NUMBER LEGAL_NAME DBA_NAME OOS_DATE OOS_REASON STATUS RESCIND_DATE"),
  },
  motus_boc3: {
    name: "motus_boc3.csv",
    hasHeader: true,
    columns: words("DOCKET_NUMBER USDOT_NUMBER CO_NAME STREET_PO CITY STATE_CODE ZIP_CODE CTRY_CODE"),
  },
  legacy_boc3: {
    name: "legacy_boc3.csv",
    hasHeader: true,
    columns: words(
      "DOCKET_NUMBER DOT_NUMBER CO_NAME ATTN_TO_OR_TITLE STREET_PO CITY STATE_CODE CTRY_CODE ZIP_CODE",
    ),
  },
};

/** The digest of the file from which each plain table was filled. */
export type Loaded = Map<string, string>;

/**
 * Loads each whole file of a folder into a table of schema recount with text columns. An absent file leaves its table as
 * it is, at first empty. A file with unchanged bytes is not read again. Returns the tables that changed.
 */
export async function loadPlainTables(
  client: pg.Client,
  folder: string,
  loaded: Loaded,
): Promise<Set<string>> {
  const changed = new Set<string>();
  for (const [table, { name, hasHeader, columns }] of Object.entries(FILES)) {
    const bytes = await bytesOf(path.join(folder, name));
    if (bytes === null) {
      if (columns.length === 0) throw new Error(`${name} is not in ${folder}`);
      if (!loaded.has(table)) await createPlainTable(client, table, columns);
      loaded.set(table, loaded.get(table) ?? "");
      continue;
    }
    const digest = createHash("sha256").update(bytes).digest("hex");
    if (loaded.get(table) === digest) continue;
    const text = decoded(bytes);
    const names = hasHeader ? headerOf(text) : columns;
    await createPlainTable(client, table, names);
    const copy = copyFrom(
      `COPY recount.plain_${table} (${names.join(", ")}) FROM STDIN (FORMAT csv, HEADER ${hasHeader})`,
    );
    await pipeline(Readable.from([text]), client.query(copy));
    loaded.set(table, digest);
    changed.add(table);
  }
  return changed;
}

/** Loads the county list and the agents' contacts, which come with the program, not from the registry. */
export async function loadReferenceTables(client: pg.Client, agents: Agents): Promise<void> {
  const list = await readFile(new URL("../fixtures/fmcsa/county_codes_time_zones.csv", import.meta.url));
  const counties = parse(list, { columns: true }) as Record<string, string>[];
  await client.query(
    `INSERT INTO recount.county_zone
     SELECT state, phy_cnty, time_zone FROM jsonb_to_recordset($1) AS county (state text, phy_cnty text, time_zone text)`,
    [JSON.stringify(counties)],
  );
  const contacts = [
    ...agents.phones.map(({ value }) => ({ kind: "phone", value })),
    ...agents.emailDomains.map(({ value }) => ({ kind: "email_domain", value })),
    ...agents.publicEmailDomains.map((value) => ({ kind: "public_domain", value })),
  ];
  await client.query(
    "INSERT INTO recount.agent SELECT * FROM jsonb_to_recordset($1) AS contact (kind text, value text)",
    [JSON.stringify(contacts)],
  );
}

export interface Agents {
  phones: { value: string }[];
  emailDomains: { value: string }[];
  publicEmailDomains: string[];
}

async function bytesOf(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Reads lines that are not UTF-8 as Windows-1252, as old clients of the registry sent them. */
function decoded(bytes: Buffer): string {
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  const windows = new TextDecoder("windows-1252");
  const lines: string[] = [];
  for (let start = 0; start < bytes.length; ) {
    const lineEnd = bytes.indexOf(10, start);
    const end = lineEnd === -1 ? bytes.length : lineEnd + 1;
    const line = bytes.subarray(start, end);
    try {
      lines.push(utf8.decode(line));
    } catch {
      lines.push(windows.decode(line));
    }
    start = end;
  }
  return lines.join("");
}

const headerOf = (text: string): string[] => parse(text, { bom: true, toLine: 1 })[0] as string[];

async function createPlainTable(client: pg.Client, table: string, columns: string[]): Promise<void> {
  await client.query(`DROP TABLE IF EXISTS recount.plain_${table}`);
  await client.query(
    `CREATE UNLOGGED TABLE recount.plain_${table}
     (line integer GENERATED ALWAYS AS IDENTITY, ${columns.map((column) => `${column} text`).join(", ")})`,
  );
}
