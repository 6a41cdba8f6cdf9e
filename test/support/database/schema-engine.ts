import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import * as engineGlue from "@prisma/schema-engine-wasm/schema_engine_bg";

const SCHEMA_FOLDER = path.join(import.meta.dirname, "../../../prisma/schema");

/**
 * The SQL that Prisma itself would write for prisma/schema on an empty database. The engine asks a server for its
 * version; it writes nothing there.
 */
export async function sqlOfPrismaSchema(databaseUrl: string): Promise<string> {
  const files = readdirSync(SCHEMA_FOLDER).map((name) => {
    const file = path.join(SCHEMA_FOLDER, name);
    return { path: file, content: readFileSync(file, "utf8") };
  });
  await loadEngine();
  const engine = await engineGlue.SchemaEngine.new(
    { datamodels: files.map(({ path: file, content }) => [file, content]) },
    () => {},
    bindMigrationAwareSqlAdapterFactory(new PrismaPg({ connectionString: databaseUrl })),
  );
  const answer = await engine.diff({
    from: { tag: "empty" },
    to: { tag: "schemaDatamodel", files },
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  return answer.stdout ?? "";
}

/** Types that TypeScript's library has only in DOM. */
interface WebAssemblyApi {
  instantiate(bytes: Buffer, imports: object): Promise<{ instance: { exports: Record<string, unknown> } }>;
}

async function loadEngine(): Promise<void> {
  const { WebAssembly } = globalThis as unknown as { WebAssembly: WebAssemblyApi };
  const glueFile = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
  const wasm = readFileSync(path.join(path.dirname(glueFile), "schema_engine_bg.wasm"));
  const { instance } = await WebAssembly.instantiate(wasm, { "./schema_engine_bg.js": engineGlue });
  const { __wbg_set_wasm } = engineGlue as unknown as { __wbg_set_wasm(exports: object): void };
  __wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as (() => void) | undefined)?.();
}
