import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Application } from "express";
import { codingFor, compressed } from "../../api/content-coding.ts";
import { routePage } from "../../api/routes.ts";
import type { EntryContext } from "../../platform/context.ts";
import { linkTo } from "./links.ts";

const TYPES = {
  "page.css": "text/css; charset=utf-8",
  "page.js": "text/javascript; charset=utf-8",
} as const;

export type Asset = keyof typeof TYPES;

const CONTENTS = new Map(
  (Object.keys(TYPES) as Asset[]).map((name) => [name, readFileSync(new URL(name, import.meta.url))]),
);

/** The address of a file that every page loads. It changes with the file, so that browsers may keep it. */
export function assetLink(context: EntryContext, name: Asset): string {
  const digest = createHash("sha256")
    .update(CONTENTS.get(name) as Buffer)
    .digest("hex");
  return `${linkTo(context, `/assets/${name}`)}?v=${digest.slice(0, 12)}`;
}

/** Routes the stylesheet and the script of the pages. */
export function routeAssets(app: Application, context: EntryContext): void {
  for (const [name, content] of CONTENTS) {
    routePage(app, context, `/assets/${name}`, "pages", async (request, response) => {
      const coding = codingFor(request);
      response.setHeader("Content-Type", TYPES[name]).setHeader("Vary", "Accept-Encoding");
      response.setHeader("Cache-Control", "public, max-age=31536000, immutable");
      if (coding !== null) response.setHeader("Content-Encoding", coding);
      response.end(coding === null ? content : await compressed(content, coding));
    });
  }
}
