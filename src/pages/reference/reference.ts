import { readFileSync } from "node:fs";
import type { IRouter } from "express";
import { routePage } from "../../api/routes.ts";
import type { EntryContext } from "../../platform/context.ts";
import { assetLink } from "../frame/assets.ts";
import { demoKeyFor } from "../frame/demo-key-for.ts";
import { sendFramed, siteHeader } from "../frame/frame.ts";
import { linkTo } from "../frame/links.ts";
import { sendBytes } from "../frame/send.ts";
import { type Html, html } from "../kit/html.ts";

/** Routes the reference at /docs, and the contract as YAML and JSON. */
export function routeReference(app: IRouter, context: EntryContext): void {
  let published: PublishedContract | undefined;
  const contract = () => {
    published ??= publishedContract(context.config.publicUrl);
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
  contractFile("/openapi.yaml", "application/yaml; charset=utf-8", () => contract().yaml);
  contractFile("/openapi.json", "application/json", () => contract().json);
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

/** The contract as a deployment publishes it, in both notations. */
interface PublishedContract {
  yaml: Buffer;
  json: Buffer;
}

/** The generator has made it with the address that openapi.yaml is written with. */
function publishedContract(publicUrl: string): PublishedContract {
  const textOf = (notation: string) =>
    readFileSync(new URL(`../../generated/published.${notation}`, import.meta.url), "utf8");
  const [yaml, json] = [textOf("yaml"), textOf("json")];
  const { servers } = JSON.parse(json) as { servers: [{ url: string }] };
  const atAddress = (text: string) => Buffer.from(text.replaceAll(servers[0].url, publicUrl));
  return { yaml: atAddress(yaml), json: atAddress(json) };
}
