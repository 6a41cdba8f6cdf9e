import type { Contract } from "./contract.ts";
import { toolFacts } from "./tools.ts";

/** The tools of the MCP server as data. */
export function toolsFile(contract: Contract): string {
  const { instructions, tools } = toolFacts(contract);
  return `${HEAD}
/** What an AI agent reads before it chooses a tool. */
export const instructions = ${JSON.stringify(instructions)};

/** Every tool, in the order of the contract. */
export const toolSources: readonly ToolSource[] = ${JSON.stringify(tools, null, 2)};
`;
}

const HEAD = `// Written by \`npm run generate\` from openapi.yaml (x-mcp): the tools of the MCP server (docs/contract.md).
import type { Tool } from "@modelcontextprotocol/server";
import type { LiveOperationId } from "./operations.ts";

/** A tool that runs one operation. */
export interface ToolSource {
  name: string;
  operation: LiveOperationId;
  title: string;
  description: string;
  /** JSON Schema of the arguments, which are parameters of the operation. */
  inputSchema: Tool["inputSchema"];
  /** JSON Schema of the answers, also of errors. */
  outputSchema: NonNullable<Tool["outputSchema"]>;
}
`;
