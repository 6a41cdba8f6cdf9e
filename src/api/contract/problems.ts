import type { ErrorObject } from "ajv";
import { patternWords } from "../../generated/pattern-words.ts";
import { type Fault, TIME_FORM } from "../../platform/http/invalid-request.ts";
import { ProblemError } from "../../platform/http/problem.ts";

/** What a path takes. */
export interface PathMethods {
  /** HEAD too, where it takes GET. */
  methods: readonly string[];
  /** Pages of every site may call it. */
  isOpen: boolean;
}

/** The methods as the header Allow lists them. */
export const allowOf = ({ methods, isOpen }: PathMethods): string =>
  [...methods, ...(isOpen ? ["OPTIONS"] : [])].join(", ");

/** The problem of a method that the path does not take. */
export function methodNotAllowed(path: PathMethods): ProblemError {
  const allowed = allowOf(path);
  const detail = `Send one of these methods to this path: ${allowed}.`;
  return new ProblemError("method_not_allowed", detail, { headers: { Allow: allowed } });
}

/** The problem of an unknown path. */
export const notFound = (): ProblemError => new ProblemError("not_found", "There is nothing at this path.");

/** The problem of a path that is right but for the slash at its end. */
export function needlessSlash(path: string): ProblemError {
  const detail = `There is nothing at ${path}. Leave out the slash at the end: ${path.slice(0, -1)}.`;
  return new ProblemError("not_found", detail);
}

/** The problem of a path whose escapes are not valid. */
export const undecodable = (): ProblemError =>
  new ProblemError("bad_request", "The path's percent-encoding cannot be decoded.");

// The limits of the contract's ValidationErrors.
const MOST_FAULTS = 100;
const LONGEST_NAME = 2_000;
const LONGEST_MESSAGE = 1_000;

/** The body of a 422 answer. */
export const validationProblem = (faults: readonly Fault[]): { detail: Fault[] } => ({
  detail: faults.slice(0, MOST_FAULTS).map(({ loc, msg, type }) => ({
    loc: loc.map((part) => (typeof part === "string" ? part.slice(0, LONGEST_NAME) : part)),
    msg: msg.slice(0, LONGEST_MESSAGE),
    type,
  })),
});

/** Turns an error of a compiled validator into the contract's form. */
export function faultOf(error: ErrorObject, request: object): Fault {
  const names = error.instancePath.split("/").slice(1).map(unescapePointer);
  const extra = error.params.missingProperty ?? error.params.additionalProperty;
  if (extra !== undefined) names.push(String(extra));
  return { loc: locationOf(names, request), msg: messageOf(error), type: error.keyword };
}

const unescapePointer = (part: string): string => part.replaceAll("~1", "/").replaceAll("~0", "~");

// Only array indexes become numbers: a member's name may consist of digits too.
function locationOf(names: string[], request: object): (string | number)[] {
  let at: unknown = request;
  return names.map((name, depth) => {
    const part = Array.isArray(at) ? Number(name) : name;
    at = typeof at === "object" && at !== null ? Reflect.get(at, name) : undefined;
    return depth === 0 && name === "requestBody" ? "body" : part;
  });
}

function messageOf(error: ErrorObject): string {
  const { keyword, params } = error;
  const message = MESSAGES[keyword]?.(params);
  return message ?? error.message ?? "does not fit the contract";
}

type Parameters = Record<string, unknown>;

const MESSAGES: Record<string, (params: Parameters) => string> = {
  required: () => "is missing",
  additionalProperties: () => "is not known here",
  type: ({ type }) => `must be ${[type].flat().map(typeWord).join(" or ")}`,
  format: ({ format }) => FORMATS[String(format)] ?? `must have the format ${format}`,
  enum: ({ allowedValues }) => `must be one of ${(allowedValues as unknown[]).join(", ")}`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  minLength: ({ limit }) => (limit === 1 ? "must not be empty" : `must have at least ${limit} characters`),
  maxLength: ({ limit }) => `must have at most ${limit} characters`,
  minItems: ({ limit }) => (limit === 1 ? "must not be empty" : `must have at least ${limit} items`),
  minProperties: () => "must not be empty",
  maxItems: ({ limit }) => `must have at most ${limit} items`,
  uniqueItems: () => "must not name the same item twice",
  pattern: ({ pattern }) => `must be ${patternWords[String(pattern)]}`,
};

const FORMATS: Record<string, string> = {
  date: "must be a date like 2026-11-21",
  "date-time": TIME_FORM,
};

const TYPE_WORDS: Record<string, string> = {
  integer: "a whole number",
  boolean: "true or false",
  string: "text",
  array: "a list",
  object: "an object",
};
const typeWord = (type: unknown): string => TYPE_WORDS[String(type)] ?? String(type);
