// openapi.yaml as data, for the tests that compare it with the API specification.
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { parse } from "yaml";

// biome-ignore lint/suspicious/noExplicitAny: the document is read as data; its shape is what is tested
export type Json = any;
export const openapiText = readFileSync(new URL("../../../openapi.yaml", import.meta.url), "utf8");
export const document: Json = parse(openapiText);

/** Follows a $ref of the document; returns anything else unchanged. */
export const resolve = (node: Json): Json =>
  typeof node?.$ref === "string"
    ? resolve(
        node.$ref
          .slice(2)
          .split("/")
          .reduce((at: Json, key: string) => at[key], document),
      )
    : node;

interface Operation {
  id: string;
  method: string;
  path: string;
  parameters: Json[];
  responses: Record<string, Json>;
  source: Json;
}

export const operations: Operation[] = Object.entries<Json>(document.paths).flatMap(
  ([path, { parameters: shared = [], head: _answeredAsGet, ...item }]) =>
    Object.entries<Json>(item).map(([method, source]) => ({
      id: source.operationId,
      method: method.toUpperCase(),
      path,
      parameters: [...shared, ...(source.parameters ?? [])].map(resolve),
      responses: Object.fromEntries(
        Object.entries(source.responses).flatMap(([s, r]) => (s === "default" ? [] : [[s, resolve(r)]])),
      ),
      source,
    })),
);
export const operation = (id: string): Operation => {
  const found = operations.find((candidate) => candidate.id === id);
  if (found === undefined) throw new Error(`openapi.yaml has no operation ${id}`);
  return found;
};

export const recordSchemas: [string, Json][] = Object.entries<Json>(document.components.schemas).filter(
  ([, schema]) => schema["x-feed"] !== undefined,
);

/** The columns of each feed's records, in order; catalogue.test.ts compares them with those of 1.0. */
export const COLUMNS: Record<string, string[]> = Object.fromEntries(
  recordSchemas.map(([, schema]) => [schema["x-feed"], Object.keys(schema.properties)]),
);

export const withoutText = (schema: Json): Json => {
  const { description: _description, "x-label": _label, ...rest } = schema;
  return rest;
};

/** A schema's type in the notation of the table SCHEMAS. */
export const typeOf = (schema: Json): string => {
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema.anyOf?.every((option: Json) => resolve(option)["x-feed"])) return "record";
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" or ");
  const types = [schema.type].flat();
  const format = types[0] === "string" && schema.format ? `(${schema.format})` : "";
  const name = [`${types[0]}${format}`, ...types.slice(1)].join("|");
  return schema.items ? `${name} of ${typeOf(schema.items)}` : name;
};

/** Calls `visit` with every schema of the document and its path. */
export const visitSchemas = (visit: (schema: Json, path: string) => void): void => {
  const walk = (node: Json, path: string): void => {
    if (typeof node !== "object" || node === null) return;
    if (typeof node.type === "string" || Array.isArray(node.type)) visit(node, path);
    for (const [key, child] of Object.entries(node)) if (key !== "example") walk(child, `${path}/${key}`);
  };
  walk(document.paths, "paths");
  walk(document.webhooks, "webhooks");
  for (const part of ["parameters", "headers", "responses", "schemas"])
    walk(document.components[part], `components/${part}`);
};

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
(addFormats.default ?? addFormats)(ajv);
const EXTENSIONS = ["x-feed", "x-since", "x-volatile", "x-personal", "x-year", "x-label", "x-source"];
ajv.addVocabulary([...EXTENSIONS, "discriminator", "components"]);
ajv.addSchema({ $id: "contract", components: { schemas: document.components.schemas } } as Json);
export const faults = (schema: Json, value: unknown): string => {
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"contract#/components'));
  const validate = ajv.compile(absolute);
  return validate(value) ? "" : ajv.errorsText(validate.errors);
};
