import { copyFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Column } from "../../../src/feeds/catalogue.ts";
import type { Bench } from "../../bench/frame/bench.ts";
import { largeFeed } from "../../bench/setup/large-version.ts";
import { VERSIONS } from "./packages.ts";
import type { Peer } from "./peer.ts";
import { runInPeer, startPeer } from "./start-peer.ts";

const SERVICE = "express-prisma-service.mjs";

const TYPES: Record<Column["kind"], string> = {
  text: "String?",
  integer: "Int?",
  boolean: "Boolean?",
  date: "DateTime? @db.Date",
  list: "Json?",
};

/** A small service on the table of records, as one is written in an afternoon: Express, Prisma, pages by OFFSET. */
export async function startExpressPrisma(bench: Bench, folder: string, databaseUrl: string): Promise<Peer> {
  await writeFile(path.join(folder, "schema.prisma"), schema());
  await copyFile(path.join(import.meta.dirname, SERVICE), path.join(folder, SERVICE));
  await runInPeer(folder, ["node_modules/prisma/build/index.js", "generate", "--schema", "schema.prisma"], {
    // Prisma would download an engine that nothing here runs; any existing file stands in for it.
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    CHECKPOINT_DISABLE: "1",
  });
  const url = await startPeer(bench, folder, {
    name: "express-prisma",
    args: [SERVICE],
    settings: { DATABASE_URL: databaseUrl },
    readyPath: "/ready",
  });
  const page = (number: number) => `/records?page=${number}&page_size=100`;
  return {
    name: `Express ${VERSIONS.express} + Prisma ${VERSIONS["@prisma/client"]}`,
    url,
    headers: {},
    page,
    filteredPage: (number, states) => `${page(number)}&state=${states.join(",")}`,
    csv: "/records.csv",
  };
}

const schema = (): string => `generator client {
  provider = "prisma-client-js"
}
datasource db {
  provider = "postgresql"
}
model Record {
  pos Int @id
${largeFeed.columns.map(({ name, kind }) => `  ${name} ${TYPES[kind]}`).join("\n")}
  @@map("records")
}
`;
