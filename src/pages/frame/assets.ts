import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { IRouter } from "express";
import { routePage } from "../../api/routes.ts";
import type { EntryContext } from "../../platform/context.ts";
import { linkTo } from "./links.ts";
import { sendBytes } from "./send.ts";

const CSS = "text/css; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";

const read = (file: string) => (): Buffer => readFileSync(new URL(file, import.meta.url));

/** The one stylesheet, in the order of its rules; the paper comes last. No page has styles of its own. */
const STYLES = [
  "elements",
  "page",
  "narrow",
  "forms",
  "filters",
  "cards",
  "notices",
  "tables",
  "table-cards",
  "charts",
  "maps",
  "bars",
  "code",
  "lists",
  "front",
  "guides",
  "paper",
] as const;

const pageStyle = (): Buffer => Buffer.concat(STYLES.map((name) => read(`styles/${name}.css`)()));

/** The style of the pages as the lowest layer, so that the reference's own styles come before it. */
const referenceStyle = (): Buffer =>
  Buffer.concat([
    Buffer.from("@layer site {\n"),
    pageStyle(),
    Buffer.from("}\n"),
    read("../reference/reference.css")(),
  ]);

/** The files that pages load: their types, and how to read them. */
const ASSETS = {
  "page.css": [CSS, pageStyle],
  "page.js": [SCRIPT, read("page.js")],
  "reference.css": [CSS, referenceStyle],
  "reference.js": [SCRIPT, read("../reference/reference.js")],
  "scalar.js": [SCRIPT, read("../../generated/scalar.js")],
} as const;

export type Asset = keyof typeof ASSETS;

const loaded = new Map<Asset, { bytes: Buffer; version: string }>();

/** Reads a file when it is first needed: the reference's script is larger than all other pages together. */
function load(name: Asset): { bytes: Buffer; version: string } {
  const known = loaded.get(name);
  if (known) return known;
  const bytes = ASSETS[name][1]();
  const version = createHash("sha256").update(bytes).digest("hex").slice(0, 12);
  loaded.set(name, { bytes, version });
  return { bytes, version };
}

/** The address of a file that pages load. It changes with the file, so that browsers may keep it. */
export const assetLink = (context: EntryContext, name: Asset): string =>
  `${linkTo(context, `/assets/${name}`)}?v=${load(name).version}`;

/** Routes the stylesheets and the scripts of the pages. */
export function routeAssets(app: IRouter, context: EntryContext): void {
  for (const name of Object.keys(ASSETS) as Asset[]) {
    routePage(app, context, `/assets/${name}`, "pages", (request, response) => {
      response.setHeader("Cache-Control", "public, max-age=31536000, immutable");
      return sendBytes(request, response, { type: ASSETS[name][0], bytes: load(name).bytes });
    });
  }
}
