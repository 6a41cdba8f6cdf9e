// The rule of lint/no-packed-literal.grit, as `npm run check:style` applies it.
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

const ROOT = path.join(import.meta.dirname, "../../..");
const BIOME = path.join(ROOT, "node_modules/@biomejs/biome/bin/biome");

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tdf-lint-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Biome's output for a file with this text; empty if it finds nothing. */
async function complaintsAbout(text: string): Promise<string> {
  const file = path.join(folder, "example.ts");
  await writeFile(file, `${text}\n`);
  return new Promise((resolve) => {
    execFile(process.execPath, [BIOME, "lint", `--config-path=${ROOT}`, file], (error, out, complaints) => {
      resolve(error ? out + complaints : "");
    });
  });
}

it.each([
  "export const one = { ...{ a: 1, b: 2 }, c: 3 };",
  "export const one = (b: number) => ({ a: 1, ...{ b } });",
])("an object literal spread into an object literal is refused: %s", async (text) => {
  expect(await complaintsAbout(text)).toContain("Write its members in the outer literal.");
});

it.each([
  "export const two = (one: object) => ({ ...one, b: 2 });",
  "export const two = (isOpen: boolean) => ({ ...(isOpen ? { a: 1 } : {}) });",
  "export const two = (isOpen: boolean) => ({ ...(isOpen && { a: 1 }) });",
  "export const two = [...[1, 2], 3];",
])("any other spread is accepted: %s", async (text) => {
  expect(await complaintsAbout(text)).toBe("");
});
