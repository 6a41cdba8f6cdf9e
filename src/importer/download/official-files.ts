import type { Dataset } from "../../registry/datasets.ts";

/** A registry file on the portal. */
export interface OfficialFile {
  dataset: Dataset;
  /** The dataset's id at the portal. */
  id: string;
  /** Its name in the download folder. */
  name: string;
  /**
   * live: published again each day. legacy: its rows have not changed since 2026-05-14, whatever its timestamps say.
   */
  kind: "live" | "legacy";
}

const CENSUS = "az4n-8mr2";
const OOS_ORDERS = "p2mt-9ige";

const MOTUS_FULL = {
  motus_carrier: "inys-ebih",
  motus_authhist: "yu5v-wbh6",
  motus_revokesuspend: "wb4f-neki",
  motus_insur: "c5y8-a4uz",
  motus_inshist: "3uet-3z4i",
  motus_boc3: "6snj-ed7q",
} as const;

const MOTUS_DIFFERENCE = {
  motus_carrier: "nakq-58th",
  motus_authhist: "dm5j-zc6c",
  motus_revokesuspend: "e67p-xyd5",
  motus_insur: "x96h-evps",
  motus_inshist: "xe5s-wca7",
  motus_boc3: "mhr5-hjyc",
} as const;

const LEGACY = {
  legacy_carrier: "6eyk-hxee",
  legacy_authhist: "9mw4-x3tu",
  legacy_revocation: "sa6p-acbp",
  legacy_insur: "ypjt-5ydn",
  legacy_actpendinsur: "qh9u-swkp",
  legacy_inshist: "6sqe-dvqs",
  legacy_boc3: "2emp-mxtb",
} as const;

const filesOf = (
  ids: Readonly<Partial<Record<Dataset, string>>>,
  kind: OfficialFile["kind"],
  ending: string,
): OfficialFile[] =>
  Object.entries(ids).map(([dataset, id]) => ({
    dataset: dataset as Dataset,
    id,
    name: `${dataset}${ending}`,
    kind,
  }));

/** Every whole file, in the order of download. */
export const FULL_FILES: readonly OfficialFile[] = [
  ...filesOf(MOTUS_FULL, "live", ".csv"),
  ...filesOf({ census: CENSUS, oos_order: OOS_ORDERS }, "live", ".csv"),
  ...filesOf(LEGACY, "legacy", ".csv"),
];

/** The daily differences of Motus. */
export const DIFFERENCE_FILES: readonly OfficialFile[] = filesOf(MOTUS_DIFFERENCE, "live", "_difference.csv");
