import type { Request } from "express";
import { isDay } from "../../../platform/clock.ts";

/** The value of a sent field: empty when it is missing, the first when it was sent twice. */
export function fieldOf(request: Request, name: string): string {
  return fieldsOf(request, name)[0] ?? "";
}

/** Every value of a sent field, for example of checkboxes with one name. */
export function fieldsOf(request: Request, name: string): string[] {
  const body = (request.body ?? {}) as Record<string, unknown>;
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  if (value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).map(String);
}

/** The query of the address. */
export const queryOf = (request: Request): URLSearchParams =>
  new URLSearchParams(request.originalUrl.split("?").slice(1).join("?"));

/** Values of the address's query by name, without blanks around them; empty where there is none. */
export function queryValues<Name extends string>(request: Request, ...names: Name[]): Record<Name, string> {
  const sent = queryOf(request);
  return Object.fromEntries(names.map((name) => [name, sent.get(name)?.trim() ?? ""])) as Record<
    Name,
    string
  >;
}

/** The UTC time that a field of type datetime-local holds, or null when it holds none. */
export function instantOf(text: string): Date | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text) || !isDay(text.slice(0, 10))) return null;
  const instant = new Date(`${text}Z`);
  return Number.isNaN(instant.getTime()) ? null : instant;
}

/** What to write instead, where a field holds no time. */
export const NOT_A_TIME = "Write a time in UTC like 2026-11-21T13:00.";

/** Where the second of two times is not after the first. */
export const NOT_AFTER = "It must be after the first time.";

/** Where a value is none of the choices. */
export const NOT_IN_LIST = "Choose one of the list.";
