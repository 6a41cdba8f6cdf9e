import { readFileSync } from "node:fs";

const MANIFEST = new URL("../../package.json", import.meta.url);

/** The program's version, as package.json has it. */
export const VERSION = (JSON.parse(readFileSync(MANIFEST, "utf8")) as { version: string }).version;
