import { readFileSync } from "node:fs";
import type { IRouter } from "express";
import { isScalar, type Node, parseDocument, visit, type visitor } from "yaml";
import { routePage } from "../../api/routes.ts";
import type { EntryContext } from "../../platform/context.ts";
import { assetLink } from "../frame/assets.ts";
import { demoKeyFor } from "../frame/demo-key-for.ts";
import { sendFramed, siteHeader } from "../frame/frame.ts";
import { linkTo } from "../frame/links.ts";
import { sendBytes } from "../frame/send.ts";
import { type Html, html } from "../kit/html.ts";

const CONTRACT_FILE = new URL("../../../openapi.yaml", import.meta.url);

/** Routes the reference at /docs, and the contract as YAML and JSON. */
export function routeReference(app: IRouter, context: EntryContext): void {
  let published: PublishedContract | undefined;
  const publish = () => {
    published ??= publishContract(readFileSync(CONTRACT_FILE, "utf8"), context.config.publicUrl);
    return published;
  };
  const contractFile = (path: string, type: string, bytes: () => Buffer) =>
    routePage(
      app,
      context,
      path,
      "docs",
      (request, response) => sendBytes(request, response, { type, bytes: bytes() }),
      { isOpen: true },
    );
  contractFile("/openapi.yaml", "application/yaml; charset=utf-8", () => publish().yaml);
  contractFile("/openapi.json", "application/json", () => publish().json);
  routePage(app, context, "/docs", "docs", async (request, response) => {
    const key = await demoKeyFor(context, request);
    sendFramed(context, response, "reference", {
      title: "API reference",
      style: "reference.css",
      head: html`<script src="${assetLink(context, "scalar.js")}" defer></script>
<script src="${assetLink(context, "reference.js")}" defer></script>
`,
      body: referenceBody(context, key),
    });
  });
}

/** The frame of the reference. Its script draws the rest; without a script there are the texts. */
const referenceBody = (
  context: EntryContext,
  key: string | null,
): Html => html`${siteHeader(context, "/docs/start")}
<noscript><p class="notice">The reference needs a script. <a href="${linkTo(context, "/docs.md")}">docs.md</a> has every operation as
a text, <a href="${linkTo(context, "/openapi.yaml")}">openapi.yaml</a> is the contract.</p></noscript>
<div id="content" tabindex="-1"><div id="reference"${key !== null && html` data-key="${key}"`}></div></div>`;

/** The contract as a deployment publishes it, with the address of that deployment as the server. */
interface PublishedContract {
  yaml: Buffer;
  json: Buffer;
}

/**
 * Puts the address of a deployment into the text of openapi.yaml: as the server, into links and into the examples. Leaves
 * out what only the program reads (docs/contract.md), and writes aliases out: some tools know none.
 */
function publishContract(text: string, publicUrl: string): PublishedContract {
  const document = parseDocument(text);
  const own = String(document.getIn(["servers", 0, "url"]));
  document.setIn(["servers"], [{ url: publicUrl, description: "This service." }]);
  for (const name of ROOT_EXTENSIONS) document.delete(name);
  visit(document, programReads);
  visit(document, withScope);
  visit(document, writtenOut());
  visit(document, atAddress(`${own}/`, `${publicUrl}/`));
  const yaml = document.toString({ lineWidth: 0, collectionStyle: "block" });
  return { yaml: Buffer.from(yaml), json: Buffer.from(JSON.stringify(document.toJS())) };
}

/** At the top of the contract; parameters have an `x-feeds` of their own, which customers read. */
const ROOT_EXTENSIONS = ["x-feeds", "x-events", "x-scopes"];
const PROGRAM_EXTENSIONS: ReadonlySet<string> = new Set([
  "x-personal",
  "x-year",
  "x-source",
  "x-column",
  "x-match",
  "x-form",
  "x-mcp",
]);

const programReads: visitor = {
  Pair: (_, { key }) =>
    isScalar(key) && PROGRAM_EXTENSIONS.has(String(key.value)) ? visit.REMOVE : undefined,
};

/** Says in the text of each operation which scope its key needs. */
const withScope: visitor = {
  Map: (_, map) => {
    const scope = map.get("x-scope");
    if (scope !== undefined)
      map.set(
        "description",
        `${String(map.get("description")).trimEnd()}\n\nThe key needs the scope \`${scope}\`.\n`,
      );
  },
};

/** Puts a copy of what an anchor names in the place of each alias of it. */
function writtenOut(): visitor {
  const named = new Map<string, Node>();
  return {
    Value: (_, node) => {
      if (node.anchor === undefined) return;
      named.set(node.anchor, node);
      delete node.anchor;
    },
    Alias: (_, alias) => named.get(alias.source)?.clone() as Node,
  };
}

/** Replaces the address that the contract is written with. */
const atAddress = (written: string, published: string): visitor => ({
  Scalar: (_, node) => {
    if (typeof node.value === "string") node.value = node.value.replaceAll(written, published);
  },
});
