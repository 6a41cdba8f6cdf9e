import type { Application } from "express";
import type { Contract } from "../../api/contract/contract.ts";
import { routePage } from "../../api/routes.ts";
import type { EntryContext } from "../../platform/context.ts";
import { assetLink } from "../frame/assets.ts";
import { demoKeyFor } from "../frame/demo-key-for.ts";
import { sendFramed, siteHeader } from "../frame/frame.ts";
import { linkTo } from "../frame/links.ts";
import { sendBytes } from "../frame/send-bytes.ts";
import { type Html, html } from "../kit/html.ts";
import { type PublishedContract, publishContract } from "./published-contract.ts";

/** Routes the reference at /docs, and the contract as YAML and JSON. */
export function routeReference(app: Application, context: EntryContext, contract: Contract): void {
  let published: PublishedContract | undefined;
  const publish = () => {
    published ??= publishContract(contract.text, context.config.publicUrl);
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
): Html => html`${siteHeader(context, "/docs")}
<noscript><p class="notice">The reference needs a script. <a href="${linkTo(context, "/docs.md")}">docs.md</a> has every operation as
a text, <a href="${linkTo(context, "/openapi.yaml")}">openapi.yaml</a> is the contract.</p></noscript>
<div id="content" tabindex="-1"><div id="reference"${key !== null && html` data-key="${key}"`}></div></div>`;
