import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { problems } from "../../../src/generated/problems.ts";
import { SHORTFALLS } from "../../../src/pages/performance/shortfalls.ts";
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
      ...own
    } = parse(text.replaceAll("http://127.0.0.1:3000/", `${PUBLIC_URL}/`), (key, value) =>
      /^x-(personal|year|source|column|match|form|mcp)$/.test(String(key)) ? undefined : value,
    );
    expect(rest).toEqual({ ...own, servers: undefined });
    expect(rest.info.description).toContain(`"${PUBLIC_URL}/v1/feeds"`);
  });
});

describe("the front page", () => {
  it("leads customers to their dashboard", async () => {
    const [, place] = /href="([^"]+)">Dashboard</.exec(await textOf("/")) ?? [];
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

describe("the page of the performance", () => {
  it.each([
    ["full", "The registry's full size"],
    ["tenth", "10 % of the registry's size"],
  ])("shows every measure of the last run at %s size, and how to repeat it", async (size, title) => {
    const { measures, machine } = JSON.parse(await readFile(`docs/performance/${size}.json`, "utf8"));
    expect(measures.length).toBeGreaterThan(20);
    const html = await textOf("/docs/performance");
    const part = html.split("<h2>").find((each) => each.startsWith(title.replace("'", "&#39;"))) ?? "";
    for (const { name, verdict } of measures) {
      const row = part.split("<tr>").find((each) => each.includes(`<code>${name}</code>`));
      expect(row).toMatch(new RegExp(`<span class="badge \\w+">${verdict}</span>`));
      if (verdict === "missed")
        expect({ name, why: SHORTFALLS[name] }).toEqual({ name, why: expect.any(String) });
    }
    expect(part).toContain(machine.processor);
    expect(html).toContain("npm run bench");
    expect(html).not.toMatch(/<script>|style=|https?:/);
  });

  it("shows the service beside other programs, with how much slower they are", async () => {
    const { peers } = JSON.parse(await readFile("docs/performance/peers.json", "utf8"));
    const html = await textOf("/docs/performance");
    for (const { name, results } of peers) {
      const row = html.split("<tr>").find((each) => each.includes(`<code>${name}</code>`));
      expect(row?.match(/\d × (?:slower|faster)/g)).toHaveLength(results.length - 1);
    }
    for (const { program } of peers[0].results) expect(html).toContain(`>${program}</th>`);
  });

  it("shows what each kind of work costs", async () => {
    const { capacity } = JSON.parse(await readFile("docs/performance/capacity.json", "utf8"));
    expect(capacity.length).toBeGreaterThan(15);
    const [, part = ""] = (await textOf("/docs/performance")).split("<h2>What each request");
    for (const { name, measured } of capacity) {
      const row = part.split("<tr>").find((each) => each.includes(`<code>${name}</code>`));
      const shown = measured.postgres.median.toLocaleString("en-US", {
        maximumSignificantDigits: measured.postgres.median < 1000 ? 3 : 4,
      });
      expect(row).toContain(`>${shown} µs</td>`);
    }
  });

  it("begins with how fast the service is", async () => {
    const { measures } = JSON.parse(await readFile("docs/performance/full.json", "utf8"));
    const hotPage = measures.find(({ name }: { name: string }) => name === "hot-page");
    const [first] = (await textOf("/docs/performance")).split("<h2>");
    const pages = Math.round(hotPage.details.subject.median).toLocaleString("en-US");
    expect(first).toContain(`<dd class="value">${pages} a second</dd>`);
  });
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
