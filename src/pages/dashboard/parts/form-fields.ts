import type { Request } from "express";

/** A field of the form that was sent; empty where it is missing. Of a field sent twice, the first. */
export function fieldOf(request: Request, name: string): string {
  return fieldsOf(request, name)[0] ?? "";
}

/** Every value a field was sent with, as for checkboxes of one name. */
export function fieldsOf(request: Request, name: string): string[] {
  const body = (request.body ?? {}) as Record<string, unknown>;
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  if (value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).map(String);
}

/** What stands behind the question mark of the address. */
export const queryOf = (request: Request): URLSearchParams =>
  new URLSearchParams(request.originalUrl.split("?").slice(1).join("?"));
