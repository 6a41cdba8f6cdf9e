import { expect } from "vitest";
import type { ContractCase } from "../cases/contract-cases.ts";
import { columnsOf, declaredAnswer, validateProblem, validateRecord } from "./contract-document.ts";
import type { Answer } from "./send-case.ts";

/** Checks an answer against the contract: declared status, headers, media type and body, and the case's code. */
export function expectContract(one: ContractCase, answer: Answer): void {
  // The body is part of the comparison so that a failure shows it.
  const shown = answer.text.slice(0, 400);
  expect({ status: answer.status, shown }).toEqual({ status: one.status, shown });
  if (one.operation === null) expectProblemOfNoOperation(answer);
  else expectDeclared(one.operation, answer);
  if (one.code !== undefined) expect(jsonOf(answer)).toMatchObject({ code: one.code, status: one.status });
  if (one.status === 200) expectRowsOfTheFeed(one, answer);
}

/** Checks an answer against the case's condition on real data; a mock's examples do not depend on the request. */
export function expectRealData(one: ContractCase, answer: Answer): void {
  if (one.faults !== undefined) {
    const { detail } = jsonOf(answer) as { detail: { loc: (string | number)[] }[] };
    // One parameter may be wrong in more than one way.
    expect(new Set(detail.map(({ loc }) => loc.join(" ")))).toEqual(new Set(one.faults));
  }
  if (one.holds !== undefined)
    expect(one.holds(jsonOf(answer) as never), `holds: ${answer.text.slice(0, 400)}`).toBe(true);
}

/** Media types of answers that are files, and not one value of JSON. */
const FILES = new Set<string | null>(["text/csv", "application/x-ndjson", "application/vnd.apache.parquet"]);

function expectDeclared(operation: string, answer: Answer): void {
  const declared = declaredAnswer(operation, answer.status);
  if (declared === undefined) throw new Error(`${operation} does not declare ${answer.status}`);
  for (const { name, isRequired, validate } of declared.headers) {
    const value = answer.headers.get(name);
    expect(isRequired && value === null, `${name} is missing`).toBe(false);
    if (value !== null) expect(validate({ value }), `${name}: ${value}`).toBe(true);
  }
  const mediaType = answer.headers.get("Content-Type")?.split(";")[0] ?? null;
  if (declared.content.size === 0) {
    expect(answer.text).toBe("");
    return;
  }
  expect([...declared.content.keys()]).toContain(mediaType);
  const { validate } = declared.content.get(mediaType ?? "") ?? {};
  validate?.(FILES.has(mediaType) ? answer.text : jsonOf(answer));
  expect(validate?.errors ?? null).toBe(null);
}

function expectProblemOfNoOperation(answer: Answer): void {
  expect(answer.headers.get("Content-Type")).toMatch(/^application\/problem\+json/);
  expect(answer.headers.get("X-Request-Id")).toMatch(/.+/);
  if (answer.status === 405) expect(answer.headers.get("Allow")).toMatch(/GET/);
  validateProblem(jsonOf(answer));
  expect(validateProblem.errors ?? null).toBe(null);
}

/** The schema of a page allows a record of any feed; this checks the shape and the columns of the feed. */
function expectRowsOfTheFeed(one: ContractCase, answer: Answer): void {
  if (one.operation === "readRecords") {
    const { data, meta } = jsonOf(answer) as { data: unknown[]; meta: { feed: string } };
    for (const record of data) expectRecordOf(meta.feed, record);
  }
  if (one.operation === "lookUpCarrier") {
    const { records } = jsonOf(answer) as { records: { feed: string; record: unknown }[] };
    for (const { feed, record } of records) expectRecordOf(feed, record);
  }
  if (one.operation === "exportFeedAsNdjson") {
    for (const line of answer.text.split("\n").slice(0, -1)) expectRecordOf(one.feed ?? "", JSON.parse(line));
  }
  if (one.operation === "exportFeed") {
    const header = answer.text.slice(0, answer.text.indexOf("\r\n")).split(",");
    expect(header).toEqual([...(columnsOf(one.feed ?? "") ?? []), "licence_ref"]);
  }
}

function expectRecordOf(feed: string, record: unknown): void {
  const validate = validateRecord(feed);
  if (validate === undefined) throw new Error(`The contract has no record schema for ${feed}`);
  validate(record);
  expect(validate.errors ?? null).toBe(null);
  expect(Object.keys(record as object)).toEqual(columnsOf(feed));
}

function jsonOf(answer: Answer): unknown {
  expect(answer.text, "a body").not.toBe("");
  return JSON.parse(answer.text);
}
