import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { problems } from "../../../src/generated/problems.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const PUBLIC_URL = "https://feeds.example.com";
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ env: { PUBLIC_URL } });
});
afterAll(() => service.stop());

const textOf = async (path: string): Promise<string> => {
  const answer = await service.get(path);
  expect(answer.status).toBe(200);
  return answer.text();
};

/** The contract with the scope of each operation at the end of its text. */
const saysItsScopes = (contract: object): object =>
  JSON.parse(JSON.stringify(contract), (_, value) =>
    typeof value?.["x-scope"] === "string"
      ? {
          ...value,
          description: `${value.description.trimEnd()}\n\nThe key needs the scope \`${value["x-scope"]}\`.\n`,
        }
      : value,
  );

describe("the contract", () => {
  it("is published in both notations, with this deployment's address", async () => {
    const { servers, ...rest } = JSON.parse(await textOf("/openapi.json"));
    expect(servers).toMatchObject([{ url: PUBLIC_URL }]);
    const yaml = await textOf("/openapi.yaml");
    expect(parse(yaml, { maxAliasCount: 0 })).toEqual({ servers, ...rest });
    for (const name of [
      "x-personal",
      "x-year",
      "x-source",
      "x-column",
      "x-match",
      "x-form",
      "x-mcp",
      "x-events",
    ]) {
      expect(yaml).not.toContain(name);
    }
    const { readFileSync } = await import("node:fs");
    const text = readFileSync(new URL("../../../openapi.yaml", import.meta.url), "utf8");
    const {
      "x-feeds": _feeds,
      "x-events": _events,
      "x-scopes": _scopes,
      "x-patterns": _patterns,
      ...own
    } = parse(text.replaceAll("http://127.0.0.1:3000/", `${PUBLIC_URL}/`), (key, value) =>
      /^x-(personal|year|source|column|match|form|mcp)$/.test(String(key)) ? undefined : value,
    );
    expect(rest).toEqual({ ...saysItsScopes(own), servers: undefined });
    expect(rest.info.description).toContain(`"${PUBLIC_URL}/v1/feeds"`);
  });
});

describe("the front page", () => {
  it("leads customers to their dashboard", async () => {
    const [, place] = /href="([^"]+)">Sign in</.exec(await textOf("/")) ?? [];
    const answer = await service.get(new URL(place ?? "", `${service.url}/`).pathname);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/dashboard/sign-in"]);
  });
});

describe("the reference", () => {
  it("has all it loads at hand, under a policy that lets nothing else in", async () => {
    const page = await service.get("/docs");
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self';");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/);
    const html = await page.text();
    const loaded = [...html.matchAll(/<(?:script src|link rel="stylesheet" href)="([^"]+)"/g)];
    expect(loaded).toHaveLength(4);
    for (const [, address = ""] of loaded) {
      expect(address).toMatch(/^\/assets\/[\w.]+\?v=[0-9a-f]{12}$/);
      const answer = await service.get(address, undefined, { "Accept-Encoding": "gzip" });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toMatch(/^text\/(css|javascript); charset=utf-8$/);
      expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(answer.headers.get("content-encoding")).toBe("gzip");
    }
    expect(html).not.toMatch(/<script>|onload=|style=/);
  });

  it("names the licence of the script that it ships", async () => {
    expect((await textOf("/assets/scalar.js")).split("\n")[0]).toMatch(
      /^\/\*! @scalar\/api-reference \d+\.\d+\.\d+ by Scalar .*, MIT License, https:\/\/github\.com\/scalar\/scalar \*\/$/,
    );
  });

  it("without a script leads to the texts", async () => {
    const [, shown = ""] = /<noscript>([\s\S]*)<\/noscript>/.exec(await textOf("/docs")) ?? [];
    expect(shown).toContain('href="/docs.md"');
    expect(shown).toContain('href="/openapi.yaml"');
  });
});

describe("the page of a problem", () => {
  it.each(Object.entries(problems))(
    "%s says what it means and what to do",
    async (code, { status, title, meaning }) => {
      const html = await textOf(`/problems/${code}`);
      for (const text of [`${status}`, code, title, meaning.slice(0, 30), "what to do"]) {
        expect(html).toContain(text.replaceAll("&", "&amp;").replaceAll("'", "&#39;"));
      }
      expect(await textOf("/problems")).toContain(`/problems/${code}`);
    },
  );

  it.each(["nonsense", "%3Cscript%3E", "__proto__", "constructor", "toString"])(
    "is 404 for %s",
    async (code) => {
      const answer = await service.get(`/problems/${code}`);
      expect(answer.status).toBe(404);
      expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(await answer.text()).not.toContain("<script>");
    },
  );
});

describe("an address where nothing is", () => {
  const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
  const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    fetch(service.url + path, { method, headers, redirect: "manual" });
  const typeOf = (answer: Response) => [answer.status, answer.headers.get("content-type")];

  it("is a page for people, and the contract's problem for programs", async () => {
    expect(typeOf(await ask("/nowhere", { Accept: BROWSER }))).toEqual([404, "text/html; charset=utf-8"]);
    const problem = [404, "application/problem+json"];
    for (const headers of [{}, { Accept: "*/*" }, { Accept: "application/json, text/html" }]) {
      expect(typeOf(await ask("/nowhere", headers as Record<string, string>))).toEqual(problem);
    }
    expect(typeOf(await ask("/v1/nowhere", { Accept: BROWSER }))).toEqual(problem);
    expect(typeOf(await ask("/nowhere", { Accept: BROWSER, "X-API-Key": "x" }))).toEqual(problem);
    expect(typeOf(await ask("/nowhere", { Accept: BROWSER }, "POST"))).toEqual(problem);
  });

  it.each(["/docs/%ff", "/feeds/%ff", "/problems/%ff", "/request-access/%ff"])(
    "is a page for people, too, when the address cannot be decoded: %s",
    async (path) => {
      expect(typeOf(await ask(path, { Accept: BROWSER }))).toEqual([404, "text/html; charset=utf-8"]);
      expect((await ask(path)).headers.get("content-type")).toBe("application/problem+json");
    },
  );

  it("leads people from a slash too many to the page, and never to another site", async () => {
    const answer = await ask("/docs/performance/", { Accept: BROWSER });
    expect([answer.status, answer.headers.get("location")]).toEqual([308, "/docs/performance"]);
    expect((await ask("/docs/performance/")).status).toBe(404);
    for (const path of ["//evil.example/", "/%5Cevil.example/", "/\\evil.example/"]) {
      expect((await ask(path, { Accept: BROWSER })).headers.get("location")).toBeNull();
    }
  });
});

it("shows the figures of docs/performance at /docs/performance", async () => {
  const figures = await readFile("docs/performance/figures.md", "utf8");
  const html = await textOf("/docs/performance");
  const prose = figures.replaceAll(/^```[\s\S]*?^```$/gm, "");
  const titles = [...prose.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => title.replace("'", "&#39;"));
  expect(titles.length).toBeGreaterThan(5);
  const headings = [...html.matchAll(/<h\d(?: id="[^"]+")?>(.+)<\/h\d>/g)].map(([, heading]) => heading);
  expect(headings).toEqual(expect.arrayContaining(titles));
  const names = [...figures.matchAll(/^\| (?:.+\()?`([\w-]+)`/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(60);
  for (const name of names) expect(html).toContain(`<code>${name}</code>`);
  expect(html).toContain("npm run bench");
  expect(html).toMatch(/<td role="cell" class="number" data-head="Value">0\.\d{1,3} ×<\/td>/);
  expect(html).not.toMatch(/<script>|style=|https?:/);
});

it("leads from / to the guides, the reference, the contract, the problems and the texts for programs", async () => {
  const html = await textOf("/");
  const paths = [
    "docs/start",
    "docs",
    "openapi.yaml",
    "problems",
    "docs/performance",
    "docs.md",
    "llms.txt",
    "remove",
  ];
  for (const path of paths) expect(html).toContain(`href="/${path}"`);
});

it("shows metrics by operation and status", async () => {
  await service.get("/v1/usage");
  expect(await textOf("/metrics")).toContain(
    'tdf_request_seconds_count{operation="readUsage",status="401"} 1',
  );
});
