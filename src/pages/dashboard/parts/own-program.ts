import type { EntryContext } from "../../../platform/context.ts";
import { codeBlock } from "../../kit/code-block.ts";
import { type Html, html } from "../../kit/html.ts";

/** The part of a page that shows how a program gets the same from the API, and what that costs. */
export const ownProgramPart = (
  context: EntryContext,
  { path, cost }: { path: string; cost: string },
): Html => html`<h2>The same from your own program</h2>
${codeBlock({
  id: "curl",
  language: "bash",
  code: `curl -H "X-API-Key: $KEY" '${context.config.publicUrl}${path}'`,
  copy: "Copy the line",
})}
<p class="hint">${cost}</p>`;
