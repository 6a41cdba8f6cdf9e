import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Application, RequestHandler } from "express";
import { codingFor, compressed } from "../../api/content-coding.ts";
import type { Contract } from "../../api/contract/contract.ts";
import { routePage } from "../../api/routes.ts";
import type { EntryContext } from "../../platform/context.ts";
import { type PublishedContract, publishContract } from "./published-contract.ts";

const ASSETS = path.dirname(fileURLToPath(import.meta.resolve("swagger-ui-dist/package.json")));

// No script, style, font, image or request may come from or go to another site. Swagger UI sets some styles inline and
// contains its icons as data.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Trucking Data Feed API</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="icon" href="docs/favicon-32x32.png">
<style>
.swagger-ui .renderedMarkdown pre { overflow-x: auto }
.swagger-ui .renderedMarkdown pre > code { font-weight: 400; overflow-wrap: normal; white-space: pre; width: max-content }
</style>
</head>
<body>
<div id="reference"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

// Requests go to the address that the page was loaded from. The page's policy allows no other, and the published address
// may be that of a proxy. Only GET can be tried: a click on a prefilled form must not register an endpoint or remove a
// business. `validatorUrl: null` keeps Swagger UI from loading a badge from swagger.io.
const START = `const here = new URL(".", location.href).href.slice(0, -1);
const atThisAddress = (contract) => {
  const published = contract.servers[0].url;
  const description = contract.info.description.replaceAll(published + "/", here + "/");
  return { ...contract, servers: [{ url: here }], info: { ...contract.info, description } };
};
SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#reference",
  validatorUrl: null,
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  supportedSubmitMethods: ["get"],
  plugins: [
    () => ({
      statePlugins: {
        spec: { wrapActions: { updateJsonSpec: (update) => (contract) => update(atThisAddress(contract)) } },
      },
    }),
  ],
});
`;

/** Routes the reference at /docs, and the contract as YAML and JSON. */
export function routeReference(app: Application, context: EntryContext, contract: Contract): void {
  const page = (path: string, handle: RequestHandler) => routePage(app, context, path, "docs", handle);
  const contractFile = (path: string, handle: RequestHandler) =>
    routePage(app, context, path, "docs", handle, { isOpen: true });
  const text = (type: string, content: () => string | Buffer): RequestHandler => {
    return async (request, response) => {
      const whole = content();
      const coding = Buffer.isBuffer(whole) ? codingFor(request) : null;
      response.setHeader("Content-Type", type).setHeader("Content-Security-Policy", POLICY);
      response.setHeader("Vary", "Accept-Encoding");
      if (coding !== null) response.setHeader("Content-Encoding", coding);
      response.end(coding === null ? whole : await compressed(whole as Buffer, coding));
    };
  };
  const asset = (name: string) =>
    page(`/docs/${name}`, (_request, response, next) => {
      response.removeHeader("Cache-Control");
      response.sendFile(name, { root: ASSETS, maxAge: "1h" }, (error) => error && next(error));
    });

  let published: PublishedContract | undefined;
  const publish = () => {
    published ??= publishContract(contract.text, context.config.publicUrl);
    return published;
  };
  contractFile(
    "/openapi.yaml",
    text("application/yaml; charset=utf-8", () => publish().yaml),
  );
  contractFile(
    "/openapi.json",
    text("application/json", () => publish().json),
  );
  page(
    "/docs",
    text("text/html; charset=utf-8", () => PAGE),
  );
  page(
    "/docs/start.js",
    text("text/javascript; charset=utf-8", () => START),
  );
  for (const name of ["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"]) asset(name);
}
