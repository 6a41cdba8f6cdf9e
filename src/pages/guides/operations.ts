import { readFileSync } from "node:fs";
import { problems } from "../../generated/problems.ts";
import type { ProblemCode } from "../../platform/http/problem.ts";

/** The contract as `npm run generate` writes it, without what the pages do not use. */
export interface ContractDocument {
  info: { title: string; summary: string };
  servers: { url: string }[];
  security: unknown[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OperationSource>>;
  webhooks: Record<string, { post: OperationSource }>;
  components: {
    examples: Record<string, { value?: { data?: readonly object[]; meta?: { feed?: string } } }>;
  };
}

interface OperationSource {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security?: unknown[];
  parameters?: Node[];
  requestBody?: Node;
  responses: Record<string, Node>;
  /** What it costs, if that is not a row for each record or event. */
  "x-cost"?: string;
}

/** A part of the contract, or a reference to one. */
export interface Node {
  [name: string]: unknown;
}

export interface Operation {
  method: string;
  path: string;
  tag: string;
  summary: string;
  description: string;
  isPublic: boolean;
  /** Problem codes of its answers. */
  codes: string[];
  source: OperationSource;
}

let document: ContractDocument | undefined;

/** The contract, read once. */
export function contractDocument(): ContractDocument {
  document ??= JSON.parse(
    readFileSync(new URL("../../generated/openapi.json", import.meta.url), "utf8"),
  ) as ContractDocument;
  return document;
}

/** Follows references of the contract. */
export function resolved(node: unknown): Node {
  const { $ref } = node as { $ref?: string };
  if ($ref === undefined) return node as Node;
  return resolved(
    $ref
      .slice(2)
      .split("/")
      .reduce<unknown>((at, name) => (at as Node)[name], contractDocument()),
  );
}

/** Every operation, in the order of the contract. */
export const operations = (): Operation[] =>
  Object.entries(contractDocument().paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, source]) => ({
      method: method.toUpperCase(),
      path,
      tag: source.tags[0] ?? "",
      summary: source.summary,
      description: source.description,
      isPublic: (source.security ?? contractDocument().security).length === 0,
      codes: Object.values(source.responses).flatMap(codesOf),
      source,
    })),
  );

/** The examples of an answer that are problems. */
const problemsIn = (answer: Node): { code: string; detail?: string }[] =>
  (examplesOf(resolved(answer)) as ({ code?: string } | null)[]).filter(
    (example): example is { code: string } => example?.code !== undefined,
  );

/** The problem codes that an answer's examples have. */
const codesOf = (answer: Node): string[] => problemsIn(answer).map(({ code }) => code);

/** Every problem code, by its status. */
export const problemsByStatus = (): [ProblemCode, (typeof problems)[ProblemCode]][] =>
  (Object.entries(problems) as [ProblemCode, (typeof problems)[ProblemCode]][]).toSorted(
    ([, one], [, other]) => one.status - other.status,
  );

/** What the contract's example of a problem says was wrong. */
export const exampleDetail = (code: ProblemCode): string | undefined =>
  operations()
    .flatMap(({ source }) => Object.values(source.responses).flatMap(problemsIn))
    .find((example) => example.code === code)?.detail;

/** The values of the examples of a body or an answer. */
export const examplesOf = ({ content }: Node): unknown[] =>
  Object.values((content ?? {}) as Record<string, { examples?: Record<string, Node> }>).flatMap(
    ({ examples }) => Object.values(examples ?? {}).map((example) => resolved(example).value),
  );
