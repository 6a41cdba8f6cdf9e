import { join } from "node:path";
import { censusFields } from "./census/census-file.ts";
import type { Company } from "./companies/company.ts";
import type { World } from "./histories/world.ts";
import { type Layout, layoutOf } from "./layout.ts";
import { LEGACY_FILES, type LegacyFile } from "./legacy/legacy-files.ts";
import { MOTUS_FILES, type MotusFile, type MotusRows } from "./motus/motus-files.ts";
import { OOS_ORDER_COLUMNS, oosOrderRows } from "./oos-orders.ts";
import { createTextFile, csvField, type TextFile } from "./text-file.ts";

/** A written file. `rows` counts lines of data, not the header. */
export interface GeneratedFile {
  name: string;
  rows: number;
}

const BYTE_ORDER_MARK = "\uFEFF";
// Two of the files begin with a byte order mark, as some tools write it.
const MARKED: ReadonlySet<MotusFile> = new Set(["carrier", "insur"]);
const MOTUS_KEYS = Object.keys(MOTUS_FILES) as MotusFile[];
const OOS_ORDERS = "oos_order.csv";
/** The files with a header: a column can be added to them, or their columns reordered. */
export const HEADED_FILES: readonly string[] = [
  "census.csv",
  OOS_ORDERS,
  ...MOTUS_KEYS.map((key) => MOTUS_FILES[key].name),
];

const LEGACY_KEYS = Object.keys(LEGACY_FILES) as LegacyFile[];

/** Opens the Motus files of a day's differences in `dir`. */
export async function openDifferenceFiles(dir: string, layout: Layout) {
  const files = await openFiles(dir, layout);
  await files.openMotus();
  return files;
}

/** Opens a day's files in `dir`; the legacy files only on request. */
export async function openDayFiles(
  dir: string,
  censusColumns: readonly string[],
  withLegacy: boolean,
  layout: Layout,
) {
  const files = await openFiles(dir, layout);
  const censusLayout = layoutOf("census.csv", layout);
  const census = await files.open("census.csv", censusLayout.header(censusColumns).join(","));
  const fieldsOf = censusFields(censusColumns);
  const ordersLayout = layoutOf(OOS_ORDERS, layout);
  const orders = await files.open(OOS_ORDERS, ordersLayout.header(OOS_ORDER_COLUMNS).join(","));
  await files.openMotus();
  for (const key of withLegacy ? LEGACY_KEYS : [])
    await files.open(LEGACY_FILES[key].name, LEGACY_FILES[key].columns?.join(","));
  return {
    ...files,
    addCensus(world: World, company: Company): void {
      if (company.isInCensus)
        census.add(censusLayout.fields(fieldsOf(world, company)).join(","), company.isLatin1);
    },
    addOrders(world: World, company: Company, day: number): void {
      for (const row of oosOrderRows(world, company, day))
        orders.add(ordersLayout.fields(row.map(csvField)).join(","), company.isLatin1);
    },
    addLegacy(company: Company, rows: Record<LegacyFile, string[][]>): void {
      for (const key of LEGACY_KEYS) {
        const { name, lineOf } = LEGACY_FILES[key];
        for (const row of rows[key])
          files.add(name, lineOf(row), company.isLatin1 || company.life.index % 2 === 0);
      }
    },
  };
}

async function openFiles(dir: string, layout: Layout) {
  const files = new Map<string, TextFile>();
  const headed = new Set<string>();
  const open = async (name: string, header: string | undefined): Promise<TextFile> => {
    const file = await createTextFile(join(dir, name));
    files.set(name, file);
    if (header !== undefined) {
      file.add(header);
      headed.add(name);
    }
    return file;
  };
  // Letters outside ASCII are in Latin-1 in some lines and in UTF-8 in others.
  const add = (name: string, line: string, isLatin1: boolean) =>
    files.get(name)?.add(line, isLatin1 && NOT_ASCII.test(line));
  return {
    open,
    add,
    async openMotus(): Promise<void> {
      for (const key of MOTUS_KEYS) {
        const { name, columns } = MOTUS_FILES[key];
        const header = layoutOf(name, layout).header(columns).join(",");
        await open(name, MARKED.has(key) ? BYTE_ORDER_MARK + header : header);
      }
    },
    addMotus(company: Company, rows: MotusRows): void {
      const isLatin1 = company.life.index % 4 === 1;
      for (const key of MOTUS_KEYS) {
        const { name } = MOTUS_FILES[key];
        const { fields } = layoutOf(name, layout);
        for (const row of rows[key]) add(name, fields(row.map(csvField)).join(","), isLatin1);
      }
    },
    async settle(): Promise<void> {
      for (const file of files.values()) await file.settle();
    },
    async close(): Promise<GeneratedFile[]> {
      const counts: GeneratedFile[] = [];
      for (const [name, file] of files) {
        const lines = await file.close();
        counts.push({ name, rows: headed.has(name) ? lines - 1 : lines });
      }
      return counts;
    },
    async abandon(): Promise<void> {
      await Promise.allSettled([...files.values()].map((file) => file.abandon()));
    },
  };
}

const NOT_ASCII = /[^\0-\x7f]/;
