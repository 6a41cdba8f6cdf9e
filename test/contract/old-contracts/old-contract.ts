import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { CONTRACT_FILE } from "../prism/contract-document.ts";

/**
 * Contracts that customers have generated clients from, without their texts and examples: 1.0 (commit 9b28b09) and 1.1
 * as it was first shown (607be8a).
 */
export const OLD_CONTRACTS = ["9b28b09", "607be8a"] as const;
export type OldContract = (typeof OLD_CONTRACTS)[number];

interface Operation {
  operationId: string;
  requestBody?: object;
  responses: Record<string, Response>;
}
interface Response {
  $ref?: string;
  content?: Record<string, unknown>;
}
export interface ContractDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Response> };
}

/** A place of an old contract that no longer holds, with what holds now. CHANGELOG.md tells customers each of them. */
interface Exception {
  /** Names from the document's root down. */
  at: readonly string[];
  now: unknown;
}

const OPEN_LIST: Exception = {
  at: ["components", "schemas", "Problem", "properties", "code"],
  now: { type: "string" },
};
const RECORDS = ["NewAuthority", "SmallCarrier", "RevocationPending", "InsuranceLapse", "Broker"] as const;

const EXCEPTIONS: Record<OldContract, readonly Exception[]> = {
  "9b28b09": [
    OPEN_LIST,
    ...RECORDS.map((feed) => ({
      at: ["components", "schemas", `${feed}Record`, "properties", "docket_number"],
      now: { type: ["string", "null"] },
    })),
  ],
  "607be8a": [
    OPEN_LIST,
    { at: ["components", "schemas", "FeedVersionOut", "properties", "cause"], now: { type: "string" } },
    // Only deliveries of endpoints with `changes` have other values than before.
    ...["DeliveryOut", "DeliveryDetailOut"].flatMap((schema) => [
      { at: ["components", "schemas", schema, "properties", "event_id"], now: { type: ["string", "null"] } },
      { at: ["components", "schemas", schema, "properties", "type"], now: { type: "string" } },
    ]),
  ],
};

/** The contract as its clients may go on believing it: but for the exceptions that the changelog names. */
export function oldContract(name: OldContract): ContractDocument {
  const file = path.join(import.meta.dirname, `../../fixtures/contracts/${name}.json`);
  const document = JSON.parse(readFileSync(file, "utf8"));
  for (const { at, now } of EXCEPTIONS[name]) {
    const last = at.at(-1) ?? "";
    const parent = at.slice(0, -1).reduce((node, key) => node?.[key], document);
    if (parent?.[last] === undefined) throw new Error(`${name} has no ${at.join(".")}`);
    parent[last] = now;
  }
  return document;
}

export const currentContract = (): ContractDocument => parse(readFileSync(CONTRACT_FILE, "utf8"));

/** Each operation's id with the statuses and media types of its answers; the type is null where there is no body. */
export function answersOf({ paths, components }: ContractDocument): Map<string, [string, string | null][]> {
  const resolved = ({ $ref, ...response }: Response): Response =>
    $ref === undefined ? response : (components.responses[$ref.split("/").at(-1) ?? ""] as Response);
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  return new Map(
    operations.map(({ operationId, responses }) => [
      operationId,
      Object.entries(responses).flatMap(([status, response]) => {
        const types = Object.keys(resolved(response).content ?? {});
        return (types.length === 0 ? [null] : types).map((type): [string, string | null] => [status, type]);
      }),
    ]),
  );
}
