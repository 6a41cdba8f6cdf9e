import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { parse } from "yaml";

// biome-ignore lint/suspicious/noExplicitAny: the document is read as data
type Json = any;

/** openapi.yaml, where it lies. */
export const CONTRACT_FILE = fileURLToPath(new URL("../../../openapi.yaml", import.meta.url));

const document: Json = parse(readFileSync(CONTRACT_FILE, "utf8"));

export interface DeclaredHeader {
  name: string;
  isRequired: boolean;
  validate: ValidateFunction;
}

/** One answer an operation may give. */
export interface DeclaredAnswer {
  status: number;
  headers: DeclaredHeader[];
  /** Media type → its schema's validator and the names of its examples. */
  content: Map<string, { validate: ValidateFunction; examples: string[] }>;
}

export interface DeclaredOperation {
  id: string;
  isPlanned: boolean;
  answers: DeclaredAnswer[];
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
// Header values are text on the wire.
const headerAjv = new Ajv2020({ strict: false, coerceTypes: true });
for (const each of [ajv, headerAjv]) {
  addFormats.default(each);
  each.addSchema(document, "contract", undefined, false);
}

const resolve = (node: Json): Json =>
  typeof node.$ref === "string"
    ? resolve(
        node.$ref
          .slice(2)
          .split("/")
          .reduce((at: Json, key: string) => at[key], document),
      )
    : node;

/** A schema as it stands in the document, its references leading into the document. */
function validatorOf(schema: Json, using = ajv): ValidateFunction {
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"contract#/components'));
  return using.compile(absolute);
}

const answerOf = ([status, response]: [string, Json]): DeclaredAnswer => ({
  status: Number(status),
  headers: Object.entries<Json>(resolve(response).headers ?? {}).map(([name, header]) => ({
    name,
    isRequired: resolve(header).required === true,
    validate: validatorOf({ properties: { value: resolve(header).schema } }, headerAjv),
  })),
  content: new Map(
    Object.entries<Json>(resolve(response).content ?? {}).map(([type, { schema, examples }]) => [
      type,
      { validate: validatorOf(schema), examples: Object.keys(examples ?? {}) },
    ]),
  ),
});

/** Every operation of the contract. */
export const DECLARED_OPERATIONS: readonly DeclaredOperation[] = Object.values<Json>(document.paths).flatMap(
  (item) =>
    Object.values<Json>(item).map((operation) => ({
      id: operation.operationId,
      isPlanned: operation["x-status"] === "planned",
      answers: Object.entries<Json>(operation.responses).map(answerOf),
    })),
);

/** The answer with this status that the operation declares, or undefined. */
export const declaredAnswer = (operation: string, status: number): DeclaredAnswer | undefined =>
  DECLARED_OPERATIONS.find(({ id }) => id === operation)?.answers.find((answer) => answer.status === status);

/** Checks the body of a problem that no operation declares. */
export const validateProblem = validatorOf({ $ref: "#/components/schemas/Problem" });

/** The columns of a feed's records, in the contract's order, or undefined for an unknown feed. */
export const columnsOf = (feed: string): string[] | undefined => {
  const found = recordSchemas.find(([, schema]) => schema["x-feed"] === feed);
  return found && Object.keys(found[1].properties);
};

/** Checks one record of a feed against that feed's own record schema. */
export const validateRecord = (feed: string): ValidateFunction | undefined => recordValidators.get(feed);

const recordSchemas = Object.entries<Json>(document.components.schemas).filter(
  ([, schema]) => schema["x-feed"],
);
const recordValidators = new Map(
  recordSchemas.map(([name, schema]) => [
    schema["x-feed"],
    validatorOf({ $ref: `#/components/schemas/${name}` }),
  ]),
);
