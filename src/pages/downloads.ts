import { readFileSync } from "node:fs";
import type { IRouter } from "express";
import { routePage } from "../api/routes.ts";
import { examples, packages } from "../generated/downloads.ts";
import type { EntryContext } from "../platform/context.ts";
import { ProblemError } from "../platform/http/problem.ts";
import { linkTo } from "./frame/links.ts";
import { sendFile, servedFile } from "./frame/send.ts";

/** The guide that tells how to get them. */
const GUIDE = "/docs/sdk";
const PACKAGES = new URL("../generated/downloads/", import.meta.url);
const EXAMPLES = new URL("../../examples/", import.meta.url);

/** Routes the packages that customers download, and the examples as files. */
export function routeDownloads(app: IRouter, context: EntryContext): void {
  const file = (path: string, type: string, url: URL) => {
    const served = servedFile(type, readFileSync(url));
    routePage(app, context, path, "docs", (request, response) => sendFile(request, response, served));
  };
  const lead = (path: string, to: string) =>
    routePage(app, context, path, "docs", (_request, response) => {
      response.setHeader("Cache-Control", "no-cache");
      response.redirect(302, linkTo(context, to));
    });

  for (const each of packages) {
    file(each.path, each.mediaType, new URL(each.file, PACKAGES));
    lead(each.latest, each.path);
  }
  routePage(app, context, "/sdk/:file", "docs", () => {
    const served = packages.map(({ path }) => `${context.config.publicUrl}${path}`).join(", ");
    throw new ProblemError(
      "not_found",
      `This service has these packages: ${served}. See ${context.config.publicUrl}${GUIDE}.`,
    );
  });

  const names = examples.flatMap(({ folder, files }) => files.map((name) => `${folder}/${name}`));
  file("/examples/README.md", "text/markdown; charset=utf-8", new URL("README.md", EXAMPLES));
  for (const name of names) file(`/examples/${name}`, "text/plain; charset=utf-8", new URL(name, EXAMPLES));
  lead("/examples", `${GUIDE}#examples`);
}
