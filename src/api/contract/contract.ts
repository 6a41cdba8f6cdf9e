import { readFile } from "node:fs/promises";
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { type Document, OpenAPIBackend } from "openapi-backend";
import type { OperationId } from "../../generated/operations.ts";

/** The parts of a request that the contract's schemas validate, with values already in their types. */
export interface ValidatedRequest {
  path: object;
  query: object;
  /** By name in lower case; only headers that the contract bounds. */
  header?: object;
  /** Absent where the operation has no body. */
  requestBody?: unknown;
}

/** Returns the errors of a request against the contract; empty when it is valid. */
export type RequestValidator = (request: ValidatedRequest) => ErrorObject[];

/** The contract as the program uses it. */
export interface Contract {
  /** The text of openapi.yaml. */
  text: string;
  /** The compiled validator of an operation. */
  validatorOf(id: OperationId): RequestValidator;
}

const CONTRACT_FILE = new URL("../../../openapi.yaml", import.meta.url);
/** The same, parsed by the generator: parsing the YAML would take a good part of a start. */
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
    // Otherwise the library validates OpenAPI 3.1 against the schema of 3.0, fails, and drops every route. Redocly
    // validates the document in `npm run check`.
    quick: true,
    // Each operation has its own Ajv, and each would compile the whole meta-schema. Redocly has checked the schemas.
    ajvOpts: { allErrors: true, validateSchema: false },
    customizeAjv: (_draft7, options) => {
      // Values already have their types. Ajv's own coercion would accept `1e3`, `0x10` and `+5` as whole numbers.
      const ajv = new Ajv2020({ ...options, coerceTypes: false });
      addFormats.default(ajv);
      // Every integer of the contract has a maximum, so these two formats add nothing.
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
