import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { parse } from "yaml";

/** The file openapi.yaml. */
export const CONTRACT_FILE = fileURLToPath(new URL("../../../openapi.yaml", import.meta.url));

/** The parts of the document that the checks read. */
interface Document {
  paths: Record<string, { parameters?: object[]; head?: OperationSource } & Record<string, OperationSource>>;
  components: { schemas: Record<string, SchemaSource> };
}
interface OperationSource {
  operationId: string;
  "x-status"?: string;
  security?: object[];
  responses: Record<string, ResponseSource | Reference>;
}
interface ResponseSource {
  headers?: Record<string, HeaderSource | Reference>;
  content?: Record<string, { schema: object; examples?: object }>;
}
interface HeaderSource {
  required?: boolean;
  schema: object;
}
interface SchemaSource {
  "x-feed"?: string;
  properties?: Record<string, { description?: string; examples?: unknown[] }>;
}
interface Reference {
  $ref: string;
}

const document: Document = parse(readFileSync(CONTRACT_FILE, "utf8"));

interface DeclaredHeader {
  name: string;
  isRequired: boolean;
  validate: ValidateFunction;
}

/** One declared answer of an operation. */
export interface DeclaredAnswer {
  status: number;
  headers: DeclaredHeader[];
  /** Media type → its schema's validator and the names of its examples. */
  content: Map<string, { validate: ValidateFunction; examples: string[] }>;
}

export interface DeclaredOperation {
  id: string;
  /** Lower case, as the contract writes it. */
  method: string;
  isPlanned: boolean;
  /** Takes no key. */
  isPublic: boolean;
  answers: DeclaredAnswer[];
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
// Header values are always text.
const headerAjv = new Ajv2020({ strict: false, coerceTypes: true });
for (const each of [ajv, headerAjv]) {
  addFormats.default(each);
  each.addSchema(document, "contract", undefined, false);
}

function resolve<Source extends object>(node: Source | Reference): Source {
  if (!("$ref" in node)) return node;
  const keys = node.$ref.slice(2).split("/");
  return resolve(keys.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document) as Source);
}

const compiled = new Map<Ajv2020, Map<string, ValidateFunction>>();

/** The validator of a schema of the document, whose references point into the document. Equal schemas share one. */
export function validatorOf(schema: object, using = ajv): ValidateFunction {
  const absolute = JSON.stringify(schema).replaceAll('"#/components', '"contract#/components');
  const known = compiled.get(using) ?? new Map<string, ValidateFunction>();
  compiled.set(using, known);
  const validate = known.get(absolute) ?? using.compile(JSON.parse(absolute) as object);
  known.set(absolute, validate);
  return validate;
}

const answerOf = ([status, response]: [string, ResponseSource | Reference]): DeclaredAnswer => ({
  status: Number(status),
  headers: Object.entries(resolve(response).headers ?? {}).map(([name, header]) => ({
    name,
    isRequired: resolve(header).required === true,
    get validate() {
      return validatorOf({ properties: { value: resolve(header).schema } }, headerAjv);
    },
  })),
  content: new Map(
    Object.entries(resolve(response).content ?? {}).map(([type, { schema, examples }]) => [
      type,
      {
        // Compiled when it is asked for: most test files ask for few of them.
        get validate() {
          return validatorOf(schema);
        },
        examples: Object.keys(examples ?? {}),
      },
    ]),
  ),
});

const declared = ([method, operation]: [string, OperationSource]): DeclaredOperation => ({
  id: operation.operationId,
  method,
  isPlanned: operation["x-status"] === "planned",
  isPublic: operation.security?.length === 0,
  // `default` is every problem that is not declared by its status.
  answers: Object.entries(operation.responses)
    .filter(([status]) => status !== "default")
    .map(answerOf),
});

/** Every operation of the contract but HEAD. */
export const DECLARED_OPERATIONS: readonly DeclaredOperation[] = Object.values(document.paths).flatMap(
  ({ parameters: _ofAllOperations, head: _answeredAsGet, ...item }) =>
    Object.entries<OperationSource>(item).map(declared),
);

/** The HEAD of each GET, by the operationId of the GET. */
export const DECLARED_HEADS: ReadonlyMap<string, DeclaredOperation> = new Map(
  Object.values(document.paths).flatMap(({ get, head }) =>
    get && head ? [[get.operationId, declared(["head", head])]] : [],
  ),
);

/** A schema of the contract, unchanged. */
export function documentedSchema(name: string): SchemaSource {
  const schema = document.components.schemas[name];
  if (schema === undefined) throw new Error(`openapi.yaml has no schema ${name}`);
  return schema;
}

/** The answer with this status that the operation declares, or undefined. */
export const declaredAnswer = (operation: string, status: number): DeclaredAnswer | undefined =>
  [...DECLARED_OPERATIONS, ...DECLARED_HEADS.values()]
    .find(({ id }) => id === operation)
    ?.answers.find((answer) => answer.status === status);

/** Checks the body of a problem that no operation declares. */
export const validateProblem = validatorOf({ $ref: "#/components/schemas/Problem" });

/** Checks the body of a webhook delivery. */
export const validateDelivery = validatorOf({ $ref: "#/components/schemas/DeliveryBody" });

/** Checks the body of a thin one. */
export const validateThinDelivery = validatorOf({ $ref: "#/components/schemas/ThinDeliveryBody" });

/** The columns of a feed's records, in the contract's order, or undefined for an unknown feed. */
export const columnsOf = (feed: string): string[] | undefined => {
  const name = recordSchemas.get(feed);
  return name === undefined ? undefined : Object.keys(documentedSchema(name).properties ?? {});
};

/** Checks one record of a feed against that feed's own record schema. */
export const validateRecord = (feed: string): ValidateFunction | undefined => {
  const name = recordSchemas.get(feed);
  return name === undefined ? undefined : validatorOf({ $ref: `#/components/schemas/${name}` });
};

/** The names of the feeds' record schemas. */
const recordSchemas = new Map(
  Object.entries(document.components.schemas).flatMap(([name, { "x-feed": feed }]) =>
    feed === undefined ? [] : [[feed, name] as const],
  ),
);
