import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import * as sql from "../../generated/sql/suppression/transfer.ts";
import type { Context } from "../../platform/context.ts";
import { inOneSnapshot } from "../../platform/database/transaction.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { LARGEST_USDOT } from "../../registry/docket.ts";

/** The format named in the first line of an export. */
const EXPORT_FORMAT = "tdf removals 1";

const REQUESTS_AT_ONCE = 1_000;

/** One line of an export: a request with everything needed to keep it in effect. */
export interface ExportedRemoval {
  request_id: number;
  requested_at: string;
  client_digest: string;
  requester_digest: string | null;
  identifier_digests: Record<string, string>;
  identifiers: { kind: string; value: string; state: string; is_blanked: boolean }[];
  businesses: { usdot: number; matched_at: string }[];
  decisions: { decision: string; decided_at: string; decided_by: string; reason: string }[];
}

/**
 * Writes the whole removal list as lines of JSON, from one snapshot: the format, every request, and the number of
 * requests, which shows whether a file is complete. Returns that number.
 */
export async function exportRemovals(
  context: Context,
  write: (lines: readonly string[]) => Promise<void>,
): Promise<number> {
  return inOneSnapshot(context.db.bulkPool, async (client) => {
    await write([JSON.stringify({ format: EXPORT_FORMAT })]);
    let requests = 0;
    for (let after = 0; ; ) {
      const rows = await sql.exportRequests(client, { after, most: REQUESTS_AT_ONCE });
      await write(rows.map(({ line }) => line));
      requests += rows.length;
      if (rows.length < REQUESTS_AT_ONCE) break;
      after = rows.at(-1)?.id ?? 0;
    }
    await write([JSON.stringify({ requests })]);
    return requests;
  });
}

const text = { type: "string", maxLength: 1_000 };
const time = { type: "string", format: "date-time" };
const digest = { type: "string", pattern: "^[0-9a-f]{64}$" };
const oneOf = (...words: string[]) => ({ enum: words });
const object = (properties: object) => ({ type: "object", required: Object.keys(properties), properties });
const list = (items: object) => ({ type: "array", items });

const ajv = addFormats.default(new Ajv2020());
const isRemoval = ajv.compile<ExportedRemoval>(
  object({
    request_id: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    requested_at: time,
    client_digest: digest,
    requester_digest: { anyOf: [digest, { type: "null" }] },
    identifier_digests: { type: "object", additionalProperties: digest },
    identifiers: list({
      ...object({
        kind: oneOf("usdot", "docket", "phone", "email"),
        value: { ...text, minLength: 1 },
        state: oneOf("in_force", "accepted", "waiting", "rejected"),
        is_blanked: { type: "boolean" },
      }),
      // Statements read it as a number.
      if: { properties: { kind: { const: "usdot" } } },
      // biome-ignore lint/suspicious/noThenProperty: the schema's word.
      then: { properties: { value: { ...text, pattern: "^[0-9]{1,8}$" } } },
    }),
    businesses: list(
      object({ usdot: { type: "integer", minimum: 1, maximum: LARGEST_USDOT }, matched_at: time }),
    ),
    decisions: {
      ...list(
        object({
          decision: oneOf("suppressed", "review", "accepted", "rejected", "undone"),
          decided_at: time,
          decided_by: oneOf("rule", "operator"),
          reason: text,
        }),
      ),
      minItems: 1,
    },
  }),
);

/** The requests of an export. Throws OperatorError if the file is not an export or not complete. */
export async function readExport(
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<ExportedRemoval[]> {
  const requests: ExportedRemoval[] = [];
  const numbers = new Set<number>();
  let lineNumber = 0;
  let expectedRequests: number | null = null;
  for await (const line of lines) {
    lineNumber += 1;
    const value = parsed(line);
    if (lineNumber === 1) {
      if (value?.format !== EXPORT_FORMAT)
        throw new OperatorError("This is not an export of a removal list; `removal export` writes one.");
    } else if (expectedRequests !== null) {
      throw new OperatorError(
        `Line ${lineNumber} is after the end of the export. Import each export by itself.`,
      );
    } else if (typeof value?.requests === "number") {
      expectedRequests = value.requests;
    } else if (isRemoval(value) && !numbers.has(value.request_id)) {
      numbers.add(value.request_id);
      requests.push(value);
    } else {
      throw new OperatorError(
        `Line ${lineNumber} is not a removal request, or one that came before. Export the list again.`,
      );
    }
  }
  if (expectedRequests !== requests.length)
    throw new OperatorError("The export is not complete: lines are missing at its end. Use another one.");
  return requests;
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
