import { readFile } from "node:fs/promises";
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { type Document, OpenAPIBackend } from "openapi-backend";
import type { OperationId } from "../../generated/operations.ts";

/** The parts of a request that the contract's schemas judge, with values already in their types. */
export interface JudgedRequest {
  path: object;
  query: object;
  /** Absent where the operation has no body. */
  requestBody?: unknown;
}

/** Gives what of a request does not fit the contract; nothing when it fits. */
export type RequestValidator = (request: JudgedRequest) => ErrorObject[];

/** The contract as the program uses it. */
export interface Contract {
  /** openapi.yaml as it stands. */
  text: string;
  /** The compiled validator of an operation. */
  validatorOf(id: OperationId): RequestValidator;
}

const CONTRACT_FILE = new URL("../../../openapi.yaml", import.meta.url);
/** The same as the generator has parsed it: reading so much YAML takes a good part of a start. */
const PARSED_CONTRACT_FILE = new URL("../../generated/openapi.json", import.meta.url);

let loaded: Promise<Contract> | undefined;

/** Loads openapi.yaml, once per process. */
export function loadContract(): Promise<Contract> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<Contract> {
  const text = await readFile(CONTRACT_FILE, "utf8");
  const backend = new OpenAPIBackend({
    definition: JSON.parse(await readFile(PARSED_CONTRACT_FILE, "utf8")) as Document,
    // Otherwise OpenAPI 3.1 is held against the schema of 3.0, found wrong, and every route is lost. `npm run check`
    // has Redocly judge the document instead.
    quick: true,
    // Each operation has an Ajv of its own: each would compile the whole meta-schema, to find what Redocly found.
    ajvOpts: { allErrors: true, validateSchema: false },
    customizeAjv: (_draft7, options) => {
      // Values come in their types: Ajv's own coercion would take `1e3`, `0x10` and `+5` for whole numbers.
      const ajv = new Ajv2020({ ...options, coerceTypes: false });
      addFormats.default(ajv);
      // What these two limit, every integer of the contract limits by its maximum.
      return ajv.addFormat("int32", true).addFormat("int64", true);
    },
  });
  await backend.init();
  return {
    text,
    validatorOf: (id) => {
      const validators = backend.validator.getRequestValidatorsForOperation(id) ?? [];
      return (request) =>
        validators.flatMap((validate) =>
          validate(request) ? [] : ((validate.errors as ErrorObject[]) ?? []),
        );
    },
  };
}
