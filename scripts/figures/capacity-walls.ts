import { markdownTable } from "../../src/pages/guides/markdown-table.ts";
import { POOL_SIZES } from "../../src/platform/database/db.ts";
import {
  CORE,
  FAST_GBIT,
  MACHINE_CORES,
  NETWORK,
  NETWORK_GBIT,
  PRIMARY_CORES,
  rateOf,
  type Sums,
} from "./capacity-sums.ts";
import { floored, shown } from "./wording.ts";

/** What one process opens at most. */
export const CONNECTIONS = POOL_SIZES.requests + POOL_SIZES.bulk;

/** The part of docs/capacity.md about what limits an installation. */
export const walls = (sums: Sums): string => `## Where are the walls, and what moves them?

${markdownTable(
  ["Wall", "Where it is", "What shows it", "What moves it"],
  [...requestWalls(sums), ...deliveryAndExportWalls(sums), importWall(sums)],
)}`;

const requestWalls = (sums: Sums): string[][] => {
  const { primaryPages, charges, idle, pageBytes, wall, fastNetworkPages } = sums;
  return [
    [
      "The primary's network",
      `${floored(wall.carried)} pages a second with ${NETWORK_GBIT} Gbit/s, ${floored(fastNetworkPages)} with ${FAST_GBIT}: ${shown(pageBytes)} bytes a page`,
      "the card's counters; `tdf_request_seconds` grows although processors are idle",
      "a faster card; then several installations",
    ],
    [
      "The primary's processor: keys, minutes and charges of every request",
      `${floored(primaryPages.rate)} pages a second with ${PRIMARY_CORES} cores`,
      "its processor is busy; `tdf_request_seconds` grows in all processes",
      "a larger primary; pages of 1,000 records instead of 100; then several installations",
    ],
    [
      "Connections",
      `a process opens up to ${CONNECTIONS}: 10 machines × ${MACHINE_CORES} × ${CONNECTIONS} = ${shown(10 * MACHINE_CORES * CONNECTIONS)}`,
      "PostgreSQL refuses connections (`max_connections`)",
      "[a pooler](operating/running.md#can-a-pooler-stand-before-postgresql) in transaction mode; from 10 machines on",
    ],
    [
      "One account's charges",
      `${floored(charges.rate)} statements a second by its processor time: they wait for each other's lock on one row`,
      "one account's requests take longer, others' do not",
      "fewer processes for that account: requests that reach one process together share the statement",
    ],
    [
      "Idle processes",
      `an idle API process costs PostgreSQL ${shown(idle.postgres)} µs a second: 4,000 of them ${shown((4_000 * idle.postgres) / CORE, 2)} cores`,
      "",
      "fewer, busier processes",
    ],
  ];
};

const deliveryAndExportWalls = (sums: Sums): string[][] => {
  const { queued, delivery, exported, machinePages, whole, wall, page } = sums;
  return [
    [
      "Fan-out: one process at a time queues deliveries",
      `${floored(queued.rate)} deliveries a second: ${queued.sum}`,
      "`tdf_webhook_fan_out_seconds`; deliveries are late although dispatchers are idle",
      `fewer event types and states for each endpoint; several installations. ${shown(queued.rate / rateOf(1, delivery.own).rate, 2)} processes of \`dispatch\` send as much as it queues`,
    ],
    [
      "The network of the machines that serve",
      `${floored(machinePages.carried)} pages of 100 records or ${floored(exported.carried)} exported rows a second for each ${NETWORK_GBIT} Gbit/s`,
      "the card's counters",
      `more machines, or compressed answers: clients ask for them with \`Accept-Encoding\`. Exports read a file on the machine and cost PostgreSQL ${shown(whole.postgres)} µs a row`,
    ],
    [
      "PostgreSQL's log to standbys",
      `${shown((wall.rate * page.wal) / 1_000_000, 2)} MB a second at the ${floored(wall.rate)} pages a second of the first wall`,
      "lag of the standbys",
      `none is needed: the network carries ${shown(NETWORK, 4)} MB a second`,
    ],
  ];
};

const importWall = ({ importSeconds, registryRows, first }: Sums): string[] => [
  "The import",
  `${shown(importSeconds, 2)} s of processor time for the ${shown(registryRows / 1_000_000, 2)} million rows of the full registry: ${shown(first.own)} + ${shown(first.postgres)} µs a row, in one process`,
  "it does not depend on customers or machines",
  "faster cores",
];
