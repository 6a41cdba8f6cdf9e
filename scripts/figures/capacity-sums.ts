import type { BenchReport } from "../bench/frame/report.ts";
import type { CapacityReport, Cost } from "../studies/capacity/work.ts";
import { floored, shown } from "./wording.ts";

/** A core's processor time in a second, in µs. */
export const CORE = 1_000_000;
/** The machines that the sums are about. */
export const MACHINE_CORES = 4;
export const PRIMARY_CORES = 16;
export const NETWORK_GBIT = 10;
/** The network of a larger machine. */
export const FAST_GBIT = 25;
const megabytes = (gbit: number): number => (gbit * 1_000) / 8;
/** In MB a second. */
export const NETWORK = megabytes(NETWORK_GBIT);

/** How much so many cores do in a second of what costs each time so many µs, and the sum that says so. */
export function rateOf(cores: number, cost: number): { rate: number; sum: string } {
  const second = shown(CORE);
  return {
    rate: (cores * CORE) / cost,
    sum: `${cores === 1 ? second : `${cores} × ${second}`} ÷ ${shown(cost)}`,
  };
}

interface Figures {
  /** Processor time of the work's own process and of PostgreSQL, in µs. */
  own: number;
  postgres: number;
  /** Bytes of PostgreSQL's log, and of the answer; 0 where nothing is answered. */
  wal: number;
  sent: number;
}

function figuresOf({ name, measured }: Cost): Figures {
  if (!measured?.postgres)
    throw new Error(`${name} has no figures for PostgreSQL: it must run on this machine`);
  return {
    own: measured.program.median,
    postgres: measured.postgres.median,
    wal: measured.wal.median,
    sent: measured.sent?.median ?? 0,
  };
}

export type Sums = ReturnType<typeof sumsOf>;

/** What a network carries a second, of what takes so many bytes. */
const carriedBy = (gbit: number, bytes: number): number => (megabytes(gbit) * 1_000_000) / bytes;

/** What processors and a network both allow, of what sends so many bytes each time, the sum that says so, and what the network carries. */
function withinNetwork({ rate, sum }: ReturnType<typeof rateOf>, bytes: number) {
  const carried = carriedBy(NETWORK_GBIT, bytes);
  return {
    carried,
    rate: Math.min(rate, carried),
    sum: `the lesser of ${sum} = ${floored(rate)} and ${shown(NETWORK, 4)} MB ÷ ${shown(bytes)} bytes = ${floored(carried)}`,
  };
}

/** The bytes that PostgreSQL sends for a unit of some work. */
function databaseBytes(capacity: readonly Cost[], name: string): number {
  const bytes = capacity.find((each) => each.name === name)?.measured?.database?.median;
  if (bytes === undefined) throw new Error(`the run did not count what PostgreSQL sends for ${name}`);
  return bytes;
}

/** What follows from the costs of a run, and from the files of a run at the registry's full size. */
export function sumsOf({ capacity }: CapacityReport, { files }: Pick<BenchReport, "files">) {
  const of = (name: string): Figures => {
    const cost = capacity.find((each) => each.name === name);
    if (!cost) throw new Error(`the run did not measure ${name}: measure all work again`);
    return figuresOf(cost);
  };
  const [page, hot, ofOneAccount, alone] = [
    of("page-accounts"),
    of("page-hot"),
    of("page"),
    of("page-alone"),
  ];
  const [whole, delivery, fanOut, first] = [of("export"), of("delivery"), of("fan-out"), of("import-first")];
  const pageBytes = databaseBytes(capacity, "page-accounts");
  const primaryPages = rateOf(PRIMARY_CORES, page.postgres);
  const registryRows = files.reduce((sum, { rows }) => sum + rows, 0);
  return {
    page,
    hot,
    ofOneAccount,
    alone,
    whole,
    delivery,
    fanOut,
    first,
    idle: of("idle-serve"),
    machinePages: withinNetwork(rateOf(MACHINE_CORES, page.own), page.sent),
    primaryPages,
    pageBytes,
    lookupBytes: databaseBytes(capacity, "lookup"),
    fastNetworkPages: carriedBy(FAST_GBIT, pageBytes),
    /** Pages of one primary: what its processor and its network both allow. */
    wall: withinNetwork(primaryPages, pageBytes),
    lookups: rateOf(MACHINE_CORES, of("lookup").own),
    exported: withinNetwork(rateOf(MACHINE_CORES, whole.own), whole.sent),
    sent: rateOf(MACHINE_CORES, delivery.own),
    recorded: rateOf(PRIMARY_CORES, delivery.postgres + fanOut.postgres),
    queued: rateOf(1, fanOut.postgres),
    charges: rateOf(1, of("charge-one-account").postgres),
    imported: rateOf(1, first.own),
    registryRows,
    importSeconds: (registryRows * (first.own + first.postgres)) / CORE,
  };
}
