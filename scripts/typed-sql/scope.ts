import type { Catalog } from "./catalog.ts";
import { factsOf } from "./facts.ts";
import type { TreeNode } from "./parse-tree.ts";

/** Facts beside the statement itself. */
export interface Knowledge {
  catalog: Catalog;
  /** Numbers of the parameters that may be null, and of those whose elements may be null. */
  nullable: { parameters: ReadonlySet<number>; elements: ReadonlySet<number> };
}

/** A query within the queries around it. */
export interface Scope {
  query: TreeNode;
  parent: Scope | null;
  known: Knowledge;
  rules: ColumnRules;
  /** Columns that the conditions of the query accept only when they are not null. */
  facts: ReadonlySet<string>;
  /** The results for the queries of its WITH; null while one is being computed. */
  withQueries: Map<string, readonly boolean[] | null>;
}

/** The rules that an expression needs for its columns and for the queries within it. */
export interface ColumnRules {
  isColumnNeverNull(variable: TreeNode, scope: Scope): boolean;
  columnsOf(query: TreeNode, parent: Scope): boolean[];
}

export const openScope = (
  query: TreeNode,
  parent: Scope | null,
  known: Knowledge,
  rules: ColumnRules,
): Scope => ({
  query,
  parent,
  known,
  rules,
  facts: factsOf(query, known.catalog),
  withQueries: new Map(),
});

/** The query so many levels further out. */
export function scopeAbove(scope: Scope, levels: number): Scope | null {
  let found: Scope | null = scope;
  for (let level = 0; level < levels; level++) found = found?.parent ?? null;
  return found;
}
