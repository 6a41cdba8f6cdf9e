import { Ajv2020, type Options } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

/** Ajv for the schemas of the contract, and for values that already have their types. */
export function contractAjv(options: Options = {}): Ajv2020 {
  // Redocly checks the schemas in `npm run check`. Ajv's own coercion would accept `1e3`, `0x10` and `+5` as whole numbers.
  const ajv = new Ajv2020({ ...options, coerceTypes: false, strict: false, validateSchema: false });
  addFormats.default(ajv);
  // Every integer of the contract has a maximum, so these two formats add nothing.
  return ajv.addFormat("int32", true).addFormat("int64", true);
}
