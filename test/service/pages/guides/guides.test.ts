// The guides and the texts for programs, read as a browser and a program read them.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoKey } from "../../../../src/accounts/keys/demo-key.ts";
import { revokeKey } from "../../../../src/accounts/keys/keys.ts";
import { feeds } from "../../../../src/generated/feeds.ts";
import { operationTable } from "../../../../src/generated/operations.ts";
import { problems } from "../../../../src/generated/problems.ts";
import { GUIDES } from "../../../../src/pages/guides/guide-list.ts";
import { markDemo } from "../../../../src/platform/installation/installation.ts";
import { sendRaw } from "../../../support/network/raw-http.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

const PUBLIC_URL = "https://feeds.example.com";
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ env: { PUBLIC_URL, WEBHOOK_RETRY_SECONDS: "90,7200" } });
});
afterAll(() => service.stop());

const answerOf = async (path: string, at = service): Promise<{ answer: Response; text: string }> => {
  const answer = await at.get(path);
  expect({ path, status: answer.status }).toEqual({ path, status: 200 });
  return { answer, text: await answer.text() };
};

const TEXTS = ["/docs.md", "/llms.txt", "/changelog.xml", ...GUIDES.map(({ path }) => `${path}.md`)];
const PAGES = GUIDES.map(({ path }) => path);

describe("every guide", () => {
  it.each(GUIDES)(
    "$name is a page under a strict policy, with its text and its neighbours",
    async ({ path, title, summary }) => {
      const { answer, text } = await answerOf(path);
      expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(answer.headers.get("content-security-policy")).toMatch(
        /^default-src 'none'; style-src 'self'; script-src 'self';/,
      );
      expect(text).toContain(`>${title}</h1>`);
      expect(summary).toMatch(/^[A-Z].+\.$/);
      for (const other of GUIDES) expect(text).toContain(`href="${other.path}"`);
      expect(text).toContain(`<link rel="alternate" type="text/markdown" href="${path}.md"`);
      expect(text).not.toMatch(/\{\{|style=|<script>|\[object/);
    },
  );

  it("has headings to link to, coloured commands to copy, and tables whose rows are cards on a phone", async () => {
    const { text } = await answerOf("/docs/webhooks");
    expect(text).toContain('<h2 id="verify-a-delivery">Verify a delivery</h2>');
    expect(text).toContain('<a href="#verify-a-delivery">Verify a delivery</a>');
    expect(text).toMatch(/<button type="button" class="quiet small" data-copy="code-1">/);
    expect(text).toContain("hljs-keyword");
    expect(text).toMatch(
      /<div class="table of-cards" tabindex="0" role="region" aria-label="Register an endpoint">/,
    );
  });

  it("says what this deployment is configured to do", async () => {
    const { text } = await answerOf("/docs/webhooks.md");
    expect(text.replaceAll("\n", " ")).toContain(
      "A failed delivery is retried after 90 seconds and 2 hours, then marked failed.",
    );
    expect(text).toContain(`"${PUBLIC_URL}/v1/webhooks"`);
  });

  it("explains every problem code in the guide of errors", async () => {
    const [{ text: page }, { text }] = [await answerOf("/docs/errors"), await answerOf("/docs/errors.md")];
    for (const code of Object.keys(problems)) {
      expect(page).toContain(`<a href="/problems/${code}"><code>${code}</code></a>`);
      expect(text).toContain(`[\`${code}\`](${PUBLIC_URL}/problems/${code})`);
    }
  });
});

describe("the texts for programs", () => {
  it.each(TEXTS)("%s is there, says its type, and is compressed on request", async (path) => {
    const { answer, text } = await answerOf(path);
    const type = path.endsWith(".md")
      ? "text/markdown"
      : path.endsWith(".txt")
        ? "text/plain"
        : "application/atom+xml";
    expect(answer.headers.get("content-type")).toBe(`${type}; charset=utf-8`);
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(text).not.toMatch(/\{\{|127\.0\.0\.1:3000|\[object|\]\(\//);
    const packed = await service.get(path, undefined, { "Accept-Encoding": "gzip" });
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(await packed.text()).toBe(text);
  });

  it("docs.md has every operation, every column and every guide", async () => {
    const { text } = await answerOf("/docs.md");
    for (const { method, path } of Object.values(operationTable)) {
      expect(text).toContain(`\`${method} ${PUBLIC_URL}${path}\``);
    }
    for (const { columns } of feeds)
      for (const { name } of columns) expect(text).toContain(`| \`${name}\` |`);
    for (const { title } of GUIDES) expect(text).toContain(`\n## ${title}\n`);
    expect(text.match(/^# /gm)).toHaveLength(1);
  });

  it("llms.txt has the form that programs look for: a title, a summary, and lists of links", async () => {
    const { text } = await answerOf("/llms.txt");
    expect(text).toMatch(/^# Trucking Data Feed API\n\n> .+\n\n/);
    for (const line of text.split("\n").filter((each) => each.startsWith("- "))) {
      expect(line).toMatch(/^- \[[^\]]+\]\(https:\/\/feeds\.example\.com\/[\w./]+\): .+\.$/);
    }
    for (const path of ["/docs/start.md", "/docs/agents.md", "/docs.md", "/openapi.yaml", "/changelog.md"])
      expect(text).toContain(`(${PUBLIC_URL}${path})`);
  });

  it("the changelog has an entry for each version, none of them for operators alone", async () => {
    const [{ text: feed }, { text: page }] = [await answerOf("/changelog.xml"), await answerOf("/changelog")];
    expect(page).toContain('<link rel="alternate" type="application/atom+xml" href="/changelog.xml"');
    const ids = [...feed.matchAll(/<entry>\n<title>Version (.+)<\/title>\n<id>(.+)<\/id>/g)];
    expect(ids.map(([, version]) => version)).toEqual(["1.1", "1.0.0"]);
    for (const [, , id] of ids) expect(page).toContain(`<h2 id="${id?.split("#")[1]}">`);
    expect(feed).toContain("authority_types");
    // By day and by what they are about.
    expect(page).toMatch(
      /<h2 id="version-1-1">Version 1\.1<\/h2>\s*<p>On this installation since \d{4}-\d\d-\d\d\.<\/p>/,
    );
    for (const group of ["Records and feeds", "Events and webhooks", "Dashboard and pages"])
      expect(page).toMatch(new RegExp(`<h3[^>]*>${group}</h3>`));
    for (const text of [feed, page]) expect(text).not.toMatch(/ADMIN_PORT|tdf import/);
    expect([...feed.matchAll(/<updated>(.+)<\/updated>/g)].length).toBe(3);
  });

  // A short point ran into the next one.
  it("the changelog's page has as many points as its file", async () => {
    const [{ text: page }, { text }] = [await answerOf("/changelog"), await answerOf("/changelog.md")];
    const points = readFileSync("CHANGELOG.md", "utf8")
      .split(/^(?=For (?:customers|operators):|## )/m)
      .filter((part) => part.startsWith("For customers:"))
      .flatMap((part) => part.match(/^ *- /gm));
    expect(page.match(/<article[\s\S]*<\/article>/)?.[0].match(/<li>/g)).toHaveLength(points.length);
    expect(text.match(/^ *- /gm)).toHaveLength(points.length);
  });
});

it("the contract's introduction leads to every guide", async () => {
  const { info } = JSON.parse((await answerOf("/openapi.json")).text);
  for (const { title, path } of GUIDES)
    expect(info.description).toContain(`[${title}](${PUBLIC_URL}${path})`);
});

describe("every link inside the service leads somewhere", () => {
  const ANCHOR = /\sid="([^"]+)"/g;

  /** The links of a page or a text, as paths of the service. */
  function linksOf(path: string, type: string, text: string): string[] {
    const found = type.startsWith("text/html")
      ? [...text.matchAll(/\s(?:href|src)="([^"]+)"/g)]
      : [...text.matchAll(/\]\(([^)\s]+)\)/g), ...text.matchAll(/href="([^"]+)"/g)];
    return found
      .map(([, link = ""]) => new URL(link.replaceAll("&amp;", "&"), `${PUBLIC_URL}${path}`))
      .filter(({ origin }) => origin === PUBLIC_URL)
      .map(({ pathname, search, hash }) => pathname + search + hash);
  }

  it("from the front page on, and from each text", async () => {
    const waiting = ["/", "/llms.txt", "/openapi.yaml"];
    const anchors = new Map<string, Set<string>>();
    const broken: string[] = [];
    const seen = new Set<string>();
    for (let link = waiting.shift(); link !== undefined; link = waiting.shift()) {
      const [path = ""] = link.split("#");
      if (seen.has(link)) continue;
      seen.add(link);
      if (anchors.has(path)) continue;
      const answer = await fetch(service.url + path);
      const text = await answer.text();
      if (answer.status !== 200) broken.push(`${path} ${answer.status}`);
      anchors.set(path, new Set([...text.matchAll(ANCHOR)].map(([, id = ""]) => id)));
      // Behind the sign-in nothing is for everybody, and scripts have no links.
      if (/^\/(dashboard|assets)/.test(path)) continue;
      waiting.push(...linksOf(path, answer.headers.get("content-type") ?? "", text));
    }
    for (const link of seen) {
      const [path = "", anchor] = link.split("#");
      // The reference draws its parts by a script.
      if (anchor !== undefined && path !== "/docs" && !anchors.get(path)?.has(anchor)) broken.push(link);
    }
    expect(broken).toEqual([]);
    for (const path of [...PAGES, ...TEXTS, "/docs", "/problems", "/remove"])
      expect([...anchors.keys()]).toContain(path);
  });
});

describe("the demo's key", () => {
  const demo = async (env: Record<string, string>): Promise<TestService & { key: string }> => {
    const started = await startTestService({ env });
    await markDemo(started.context.db.pool, "2026-11-18");
    const { accountId } = await started.createAccount({ feeds: { us_brokers: null } });
    return { ...started, key: await demoKey(started.context, accountId) };
  };
  const shownIn = async (at: TestService, key: string): Promise<string[]> => {
    const shown: string[] = [];
    for (const path of ["/", "/docs", ...PAGES, ...TEXTS, "/openapi.yaml"]) {
      if ((await answerOf(path, at)).text.includes(key)) shown.push(path);
    }
    return shown;
  };

  it("is in the commands and in the reference on a demo that only this machine can reach, until it is revoked", async () => {
    const started = await demo({});
    try {
      const { key } = started;
      expect(await shownIn(started, key)).toEqual(
        expect.arrayContaining(["/docs", "/docs/start", "/docs/start.md", "/docs.md"]),
      );
      expect(await demoKey(started.context, 1)).toBe(key);
      // A page of another site that reaches this machine under a name of its own.
      const foreign = "GET /docs/start HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
      const answer = await sendRaw(started.port, foreign);
      expect(answer).toContain("$TDF_KEY");
      expect(answer).not.toContain(key);
      await revokeKey(started.context, key.split("_").slice(0, 3).join("_"));
      expect(await shownIn(started, key)).toEqual([]);
      expect((await answerOf("/docs/start", started)).text).toContain("$TDF_KEY");
    } finally {
      await started.stop();
    }
  });

  it.each([
    ["has a public address", { PUBLIC_URL }],
    ["has an https address here", { PUBLIC_URL: "https://localhost:8443" }],
    ["listens to other machines", { HOST: "0.0.0.0" }],
  ])("is nowhere when the demo %s", async (_what, env) => {
    const started = await demo(env);
    try {
      expect(await shownIn(started, started.key)).toEqual([]);
    } finally {
      await started.stop();
    }
  });

  it("is nowhere when the registry is no demo", async () => {
    const started = await demo({});
    try {
      await markDemo(started.context.db.pool, null);
      expect(await shownIn(started, started.key)).toEqual([]);
    } finally {
      await started.stop();
    }
  });
});
