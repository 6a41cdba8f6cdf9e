import type { Operation, OperationParameter } from "../../generated/operations.ts";
import type { Fault } from "../../platform/http/invalid-request.ts";

/** A request's parameters, parsed into their types. */
export interface SentParameters {
  /** The values in the path. */
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  /** Filters and unknown query parameters as sent, decoded, in order; only where the operation has filters. */
  filters: Map<string, string[]>;
  /** Errors that the contract's schemas cannot find: unknown and repeated parameters, control characters, bytes that are no UTF-8. */
  faults: Fault[];
}

/**
 * Parses the parameters of an operation. Blanks around the items of a list are dropped. A text that does not fit its
 * parameter's type stays text, and the schema refuses it. `search` is the part after the question mark.
 */
export function readParameters(
  operation: Operation,
  pathValues: Readonly<Record<string, string>>,
  search: string,
): SentParameters {
  const sent: SentParameters = { params: {}, query: {}, filters: new Map(), faults: [] };
  const pairs = Map.groupBy(new URLSearchParams(search), ([name]) => name);
  const known = parametersOf(operation);
  for (const [name, values] of pairs) {
    const texts = values.map(([, value]) => value);
    if (!isUtf8(texts, search)) sent.faults.push({ loc: ["query", name], ...NO_UTF_8 });
    const parameter = known.get(`query ${name}`);
    if (parameter && !parameter.isFilter) readQuery(sent, parameter, texts);
    else if (operation.hasFilters) sent.filters.set(name, texts);
    else sent.faults.push(unknownFault(operation, name));
  }
  for (const [name, text] of Object.entries(pathValues)) {
    const parameter = known.get(`path ${name}`);
    if (hasControlCharacter(text)) sent.faults.push(controlCharacterFault("path", name));
    sent.params[name] = parameter ? coerced(parameter, text) : text;
  }
  return sent;
}

const NO_UTF_8 = { msg: "has escapes that are not UTF-8 (an é is %C3%A9)", type: "encoding" };

// Escapes that can't be decoded become U+FFFD, and with it a filter would find nothing. Texts of the registry have it, too.
const isUtf8 = (texts: readonly string[], search: string): boolean =>
  /%EF%BF%BD/i.test(search) || !texts.some((text) => text.includes("\uFFFD"));

function unknownFault(operation: Operation, name: string): Fault {
  const allowed = operation.parameters
    .filter((parameter) => parameter.in === "query")
    .map(({ name }) => name);
  const rest =
    allowed.length === 0 ? ", which takes none in the query" : `; allowed are ${allowed.join(", ")}`;
  return { loc: ["query", name], msg: `is not a parameter of this operation${rest}`, type: "unknown" };
}

type NamedParameters = ReadonlyMap<string, OperationParameter>;

/** The parameters of each operation by `query <name>` and `path <name>`. */
const namedParameters = new WeakMap<Operation, NamedParameters>();

function parametersOf(operation: Operation): NamedParameters {
  const existing = namedParameters.get(operation);
  if (existing) return existing;
  const fresh = new Map(
    operation.parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]),
  );
  namedParameters.set(operation, fresh);
  return fresh;
}

function readQuery(sent: SentParameters, parameter: OperationParameter, texts: string[]): void {
  const { name, isList } = parameter;
  if (texts.some(hasControlCharacter)) {
    sent.faults.push(controlCharacterFault("query", name));
  } else if (isList) {
    const items = texts.flatMap((text) => text.split(",")).map((text) => text.replace(/^ +| +$/g, ""));
    sent.query[name] = items.map((item) => coerced(parameter, item));
  } else if (texts.length > 1) {
    sent.faults.push({ loc: ["query", name], msg: "must not be given more than once", type: "repeated" });
  } else {
    sent.query[name] = coerced(parameter, texts[0] ?? "");
  }
}

/** The query, with the contract's defaults for parameters that were not sent. */
export function withDefaults(operation: Operation, query: Record<string, unknown>): Record<string, unknown> {
  const complete = { ...query };
  for (const parameter of operation.parameters) {
    if (parameter.in !== "query" || parameter.default === undefined) continue;
    complete[parameter.name] ??= parameter.default;
  }
  return complete;
}

/** The headers of a request that are parameters of the operation, by their members. HEAD has no ranges. */
export function headersOf(
  { parameters }: Operation,
  { method, headers }: { method: string; headers: Readonly<Record<string, unknown>> },
): Record<string, string> {
  const sent = parameters.flatMap(({ in: part, name, member }) => {
    const value = part === "header" ? headers[name.toLowerCase()] : undefined;
    const isRead = method !== "HEAD" || (name !== "Range" && name !== "If-Range");
    return typeof value === "string" && isRead ? [[member, value]] : [];
  });
  return Object.fromEntries(sent);
}

function coerced({ kind }: OperationParameter, text: string): unknown {
  if (kind === "integer" && /^-?\d{1,16}$/.test(text)) return Number(text);
  if (kind === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

// \p{Cc}: U+0000 to U+001F and U+007F to U+009F.
const CONTROL_CHARACTER = /\p{Cc}/u;
const hasControlCharacter = (text: string): boolean => CONTROL_CHARACTER.test(text);

const controlCharacterFault = (part: "path" | "query", name: string): Fault => ({
  loc: [part, name],
  msg: "must not contain control characters",
  type: "control_character",
});
