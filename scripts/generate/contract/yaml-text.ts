import { stringify } from "yaml";

const WIDTH = 120;
/** A longer member of a list or an object is broken inside, too. */
const WHOLE_MEMBER = 60;

/**
 * A value as text of openapi.yaml, behind `before` on its line. Members follow each other in lines of 120 characters, a
 * reference in a list has a line of its own, and a text of several lines keeps them.
 */
export function yamlText(value: unknown, before: string): string {
  const isAlone = before.trim() === "";
  const indent = isAlone ? before : " ".repeat(before.search(/[^ ]/) + 2);
  if (typeof value === "string")
    return value.includes("\r\n") ? quotedLines(value, indent) : `|\n${value.replaceAll(/^(?=.)/gm, indent)}`;
  if (isReferences(value))
    return (isAlone ? "" : `\n${indent}`) + value.map(({ $ref }) => `- $ref: '${$ref}'`).join(`\n${indent}`);
  const text = inFlow(value);
  return before.length + text.length <= WIDTH ? text : wrapped(value as object, before.length, indent);
}

/** A value in one line, as YAML 1.1 reads it too. */
function inFlow(value: unknown): string {
  if (typeof value === "object" && value !== null) return membersOf(value).join(" ");
  // Some parsers end an address without quotes at its colon.
  const quoted = {
    singleQuote: true,
    defaultStringType: /:\/\/|^#/.test(String(value)) ? "QUOTE_SINGLE" : "PLAIN",
  } as const;
  return stringify([value], {
    ...quoted,
    collectionStyle: "flow",
    flowCollectionPadding: false,
    lineWidth: 0,
    compat: "yaml-1.1",
  }).slice(1, -2);
}

/** The members of a list or an object in one line each, the first and the last with its bracket. */
function membersOf(value: object): string[] {
  const isList = Array.isArray(value);
  const members = isList
    ? value.map(inFlow)
    : Object.entries(value).map(([name, member]) => `${name}: ${inFlow(member)}`);
  if (members.length === 0) return [isList ? "[]" : "{}"];
  const [open, close] = isList ? ["[", "]"] : ["{ ", " }"];
  return members.map(
    (member, index) => `${index === 0 ? open : ""}${member}${index === members.length - 1 ? close : ","}`,
  );
}

/** Breaks lines between members, and inside a long one at a single space, where YAML reads a line break as a space. */
function wrapped(value: object, column: number, indent: string): string {
  const [first = "", ...others] = membersOf(value).flatMap((member) =>
    member.length > WHOLE_MEMBER ? member.split(/(?<! ) (?! )/) : [member],
  );
  let text = first;
  let room = WIDTH - column - first.length;
  for (const piece of others) {
    const fits = piece.length < room;
    text += `${fits ? " " : `\n${indent}`}${piece}`;
    room = (fits ? room - 1 : WIDTH - indent.length) - piece.length;
  }
  return text;
}

const quotedLines = (text: string, indent: string): string =>
  JSON.stringify(text).replaceAll(/\\r\\n(?!"$)/g, `\\r\\n\\\n${indent}`);

const isReferences = (value: unknown): value is { $ref: string }[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => Object.keys(item).join() === "$ref");
