import type { Operation } from "./contract.ts";
import type { Entry } from "./operations-file.ts";

/** Types of a handler's input and answers, for each operation. */
export function adapterTypes(operations: Operation[], table: Record<string, Entry>): string {
  const entries = Object.entries(table);
  const everyHeader = new Set(
    entries.flatMap(([, entry]) => Object.values(entry.answers).flatMap(headersOf)),
  );
  const live = operations.filter((operation) => operation.isLive).map((operation) => operation.id);
  return `
export type OperationId = keyof typeof operationTable;

/** The operations that need a handler. */
export type LiveOperationId = ${union(live)};

/** A handler's input: typed, with defaults filled in. */
export interface Inputs {
${entries.map(([id, entry]) => `  ${id}: {\n${inputMembers(id, entry).map(indent(4)).join("\n")}\n  };`).join("\n")}
}

/** A handler's answers: the contract's successes with their bodies and headers; errors are thrown. */
export interface Answers {
${entries.map(([id, entry]) => `  ${id}:\n${answerMembers(id, entry, everyHeader).map(indent(4)).join("\n")};`).join("\n")}
}

export type Input<Id extends OperationId> = Inputs[Id];
export type Answer<Id extends OperationId> = Answers[Id];
export type Handler<Id extends OperationId> = (input: Inputs[Id], context: EntryContext) => Promise<Answers[Id]>;

/** One handler per live operation: the compiler refuses a missing and an extra one. */
export type Handlers = { [Id in LiveOperationId]: Handler<Id> };

type PathOf<Id extends OperationId> = operations[Id]["parameters"]["path"];
type QueryOf<Id extends OperationId> = NonNullable<operations[Id]["parameters"]["query"]>;
type BodyOf<Id extends OperationId> = operations[Id] extends { requestBody: { content: { "application/json": infer Body } } }
  ? Body
  : operations[Id] extends { requestBody?: { content: { "application/json": infer Body } } }
    ? Body | undefined
    : never;
type Responses<Id extends OperationId> = operations[Id]["responses"];
/** A value to serialise, or its finished JSON. */
type Json<Response> = Response extends { content: { "application/json": infer Body } } ? Body | JsonText<Body> : never;
`;
}

function inputMembers(id: string, entry: Entry): string[] {
  const named = (location: string) => entry.parameters.filter((parameter) => parameter.in === location);
  const query = named("query").filter((parameter) => !parameter.isFilter);
  // The pipeline itself keeps what an idempotency key promises.
  const headers = named("header").filter(({ member }) => member !== "idempotencyKey");
  const isGiven = (parameter: { default?: unknown; isRequired: boolean }): boolean =>
    parameter.default !== undefined || parameter.isRequired;
  const given = query.filter(isGiven).map((parameter) => parameter.name);
  const optional = query.filter((parameter) => !isGiven(parameter)).map((parameter) => parameter.name);
  const parts = [
    ...(optional.length > 0 ? [`Pick<QueryOf<"${id}">, ${union(optional)}>`] : []),
    ...(given.length > 0 ? [`Required<Pick<QueryOf<"${id}">, ${union(given)}>>`] : []),
  ];
  return [
    ...(entry.isPublic
      ? ["/** The client's address, according to the trusted proxies. */", "clientAddress: string;"]
      : ["caller: Caller;"]),
    ...(named("path").length > 0 ? [`path: PathOf<"${id}">;`] : []),
    ...(parts.length > 0 ? [`query: ${parts.join(" & ")};`] : []),
    ...(entry.hasFilters
      ? [
          "/** Filters and unknown query parameters as they were sent, decoded. */",
          "filters: ReadonlyMap<string, readonly string[]>;",
        ]
      : []),
    ...(headers.length > 0 ? [`headers: { ${headers.map(headerMember).join("; ")} };`] : []),
    ...(entry.hasBody ? [`body: BodyOf<"${id}">;`] : []),
  ];
}

const headerMember = ({ member, isRequired }: Entry["parameters"][number]): string =>
  `${member}${isRequired ? "" : "?"}: string`;

type AnswerEntry = Entry["answers"][string];

const headersOf = ({ headers, optionalHeaders }: AnswerEntry): string[] => [...headers, ...optionalHeaders];

function answerMembers(id: string, entry: Entry, everyHeader: ReadonlySet<string>): string[] {
  return Object.entries(entry.answers).map(([status, answer]) => {
    const members = [
      `status: ${status}`,
      headersMember(answer, everyHeader),
      `body: ${bodyType(id, status, answer.media)}`,
    ];
    return `| { ${members.join("; ")} }`;
  });
}

// TypeScript allows extra members in an object that is not a literal. Declaring the contract's other headers as
// impossible makes the compiler refuse those too.
function headersMember(answer: AnswerEntry, everyHeader: ReadonlySet<string>): string {
  const declared = headersOf(answer);
  if (declared.length === 0) return "headers?: never";
  const others = [...everyHeader].filter((name) => !declared.includes(name));
  const members = [
    ...answer.headers.map((name) => `${JSON.stringify(name)}: string`),
    ...answer.optionalHeaders.map((name) => `${JSON.stringify(name)}?: string`),
    ...others.map((name) => `${JSON.stringify(name)}?: never`),
  ];
  return `headers${answer.headers.length === 0 ? "?" : ""}: { ${members.join("; ")} }`;
}

/** Media types of answers that are streams. */
const FILES = ["text/csv", "application/x-ndjson", "application/vnd.apache.parquet"];

function bodyType(id: string, status: string, media: string | null): string {
  if (media === null) return "null";
  if (media === "application/json") return `Json<Responses<"${id}">[${status}]>`;
  if (FILES.includes(media)) return "Readable";
  throw new Error(`${id} answers ${media}, which no adapter knows`);
}

const union = (names: string[]): string => names.map((name) => JSON.stringify(name)).join(" | ") || "never";

const indent =
  (width: number) =>
  (line: string): string =>
    " ".repeat(width) + line;
