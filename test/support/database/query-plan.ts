import type pg from "pg";

/** A node of a plan as PostgreSQL's EXPLAIN (FORMAT JSON) gives it. */
export interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "CTE Name"?: string;
  "Subplan Name"?: string;
  /** Of a plan that was run (ANALYZE). */
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  /** With BUFFERS. */
  "Shared Hit Blocks"?: number;
  "Shared Read Blocks"?: number;
  Plans?: PlanNode[];
}

/** The plan of a statement, explained with options such as ANALYZE, which runs it, or COSTS, which does not. */
export async function planOf(
  database: Pick<pg.ClientBase, "query">,
  options: string,
  sql: string,
  parameters: unknown[] = [],
): Promise<PlanNode> {
  const { rows } = await database.query(`EXPLAIN (${options}, FORMAT JSON) ${sql}`, parameters);
  return rows[0]["QUERY PLAN"][0].Plan;
}

/** A node with all below it. */
export const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
