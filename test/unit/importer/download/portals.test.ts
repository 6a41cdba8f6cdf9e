import { existsSync, symlinkSync } from "node:fs";
import { readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT, exitStatusOf } from "../../../../src/cli/terminal/exit-status.ts";
import { downloadRegistry } from "../../../../src/importer/download/download.ts";
import {
  type Answer,
  breakOff,
  openPortal,
  serve,
  stall,
  status,
} from "../../../support/network/download-portal.ts";
import {
  again,
  clock,
  content,
  dir,
  download,
  FILE,
  open,
  PART,
  portal,
  refusal,
  TEXT,
  useDownloads,
  waited,
} from "./downloads.ts";

useDownloads();

describe("a server in trouble", () => {
  it("is tried again after growing waits, nine times in all", async () => {
    const sentence = await refusal(download(status(500)));
    expect(sentence).toBe(
      "motus_carrier.csv (inys-ebih) could not be downloaded in 9 tries: the portal answered 500. " +
        "The received part stays on disk; run the command again to go on.",
    );
    expect(waited).toEqual([1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000]);
    expect(portal.requests).toHaveLength(9);
  });

  it.each([408, 425, 429, 500, 502, 503, 504])("is tried again after %i", async (code) => {
    expect(await download(status(code), serve(TEXT))).toMatchObject({ outcome: "fetched" });
  });

  it("is not tried again after 400", async () => {
    expect(await refusal(download(status(400)))).toMatch(/answered 400; .*REGISTRY_URL/);
    expect(portal.requests).toHaveLength(1);
  });

  it.each([401, 403, 404, 410])("is asked for the second form of export after %i, once", async (code) => {
    expect(await refusal(download(status(code)))).toMatch(
      new RegExp(
        `rows.csv.* answered ${code}, .*export.csv answered ${code}; .*REGISTRY_URL and REGISTRY_APP_TOKEN`,
      ),
    );
    expect(portal.requests).toHaveLength(2);
    expect(await download(status(code), serve(TEXT))).toMatchObject({ outcome: "fetched" });
    expect(portal.requests[1]?.path).toBe("/api/v3/views/inys-ebih/export.csv");
    expect(await content()).toBe(TEXT);
    await rm(path.join(dir, FILE));
  });

  it("gets no request for as long as it asks, in seconds or until a date", async () => {
    await download(
      status(429, { "retry-after": "120" }),
      status(503, { "retry-after": "Fri, 20 Nov 2026 12:05:00 GMT" }),
      status(503, { "retry-after": "Fri, 20 Nov 2026 11:00:00 GMT" }),
      status(503, { "retry-after": "soon" }),
      serve(TEXT),
    );
    expect(waited).toEqual([120_000, 300_000, 4000, 8000]);
  });

  it("is left to the operator when it asks for a wait of hours", async () => {
    expect(await refusal(download(status(429, { "retry-after": "7200" })))).toMatch(/120 minutes/);
    expect(waited).toEqual([]);
  });

  it("is disconnected when it stalls, and the received part is continued", async () => {
    await open(stall(TEXT, PART), serve(TEXT));
    expect(await again({ stallMs: 300 })).toMatchObject({ outcome: "resumed" });
    expect(await content()).toBe(TEXT);
  });

  it("is disconnected when it never answers", async () => {
    await open(() => {}, serve(TEXT));
    expect(await again({ stallMs: 300 })).toMatchObject({ outcome: "fetched" });
  });

  it("is named after all tries when nothing listens", async () => {
    await open(serve(TEXT));
    await portal.close();
    expect(await refusal(again())).toMatch(/in 9 tries: the connection broke off \(ECONNREFUSED\)/);
  });
});

describe("the portal that moved", () => {
  it("gets the app token with each request, and none unless it is set", async () => {
    await open(status(503), serve(TEXT));
    await again({ appToken: "token-1" });
    expect(portal.requests.map(({ headers }) => headers["x-app-token"])).toEqual(["token-1", "token-1"]);
    await download(serve(TEXT));
    expect(portal.requests[0]?.headers).not.toHaveProperty("x-app-token");
  });

  it.each<[string, Answer, number]>([
    ["does not offer the file", status(404), 2],
    ["is in trouble for nine tries", status(500), 9],
    ["asks for a wait of hours", status(429, { "retry-after": "7200" }), 1],
    ["answers with a web page", status(200, { "content-type": "text/html" }, "<html>Moved</html>"), 1],
    ["sends a web page as CSV", status(200, { "content-type": "text/csv" }, "<html>Moved</html>"), 1],
  ])("is left for the next address when it %s", async (_name, answer, requests) => {
    const mirror = await openPortal(serve(TEXT));
    await open(answer);
    expect(await again({ portalUrls: [portal.url, mirror.url] })).toMatchObject({ outcome: "fetched" });
    expect(portal.requests).toHaveLength(requests);
    expect(mirror.requests).toHaveLength(1);
    expect(await content()).toBe(TEXT);
    await mirror.close();
  });
});

describe("a response that is not a table", () => {
  it("is refused at once when it is a web page with status 200", async () => {
    const page = "<!DOCTYPE html><html>Down for maintenance</html>";
    expect(await refusal(download(status(200, { "content-type": "text/html" }, page)))).toMatch(/text\/html/);
    expect(await refusal(download(status(200, { "content-type": "text/csv" }, `\n${page}`)))).toMatch(
      /web page/,
    );
    expect(await refusal(download(status(200, { "content-type": "text/csv" }, '{"error":true}')))).toMatch(
      /web page/,
    );
    expect((await readdir(dir)).filter((name) => !name.startsWith("."))).toEqual([]);
  });

  it("is fetched again when it is shorter than announced, or empty", async () => {
    const short: Answer = (request, response) => {
      response.writeHead(206, {
        "content-type": "text/csv",
        etag: '"one"',
        "content-range": `bytes ${PART}-${TEXT.length - 1}/${TEXT.length}`,
      });
      response.end(request.headers.range === undefined ? "" : TEXT.slice(PART, -5));
    };
    await download(breakOff(TEXT, PART), short, serve(TEXT));
    expect(await content()).toBe(TEXT);
    await rm(path.join(dir, FILE));
    await download(status(200, { "content-type": "text/csv" }), serve(TEXT));
    expect(await content()).toBe(TEXT);
  });
});

describe("which files", () => {
  it("are all files; legacy files only if missing or named", async () => {
    await open(serve(TEXT));
    const run = (only: string[] = []) =>
      downloadRegistry({ outDir: dir, portalUrls: [portal.url], only, clock, wait: async () => {} });
    await writeFile(path.join(dir, "legacy_carrier.csv"), "here");
    const files = await run();
    expect(files.map(({ id }) => id)).toEqual([
      "inys-ebih",
      "yu5v-wbh6",
      "wb4f-neki",
      "c5y8-a4uz",
      "3uet-3z4i",
      "6snj-ed7q",
      "az4n-8mr2",
      "p2mt-9ige",
      "6eyk-hxee",
      "9mw4-x3tu",
      "sa6p-acbp",
      "ypjt-5ydn",
      "qh9u-swkp",
      "6sqe-dvqs",
      "2emp-mxtb",
    ]);
    expect(files.find(({ id }) => id === "6eyk-hxee")).toMatchObject({ outcome: "kept", sizeBytes: 4 });
    expect(portal.requests).toHaveLength(14);
    expect(await run(["legacy_carrier"])).toMatchObject([{ outcome: "fetched" }]);
  });

  it("are the daily differences on request, in a separate folder", async () => {
    await open(serve(TEXT));
    const run = (isDifference: boolean, only: string[] = []) =>
      downloadRegistry({ outDir: dir, portalUrls: [portal.url], clock, isDifference, only });
    expect((await run(true)).map(({ id, file }) => `${id} ${file}`)).toEqual([
      "nakq-58th motus_carrier_difference.csv",
      "dm5j-zc6c motus_authhist_difference.csv",
      "e67p-xyd5 motus_revokesuspend_difference.csv",
      "x96h-evps motus_insur_difference.csv",
      "xe5s-wca7 motus_inshist_difference.csv",
      "mhr5-hjyc motus_boc3_difference.csv",
    ]);
    expect(await refusal(run(false))).toMatch(/holds motus_.*_difference\.csv: .* a folder each/);
    expect(await refusal(run(true, ["census"]))).toMatch(
      /no daily difference census; there are motus_carrier,/,
    );
  });

  it("must have known names", async () => {
    await open(serve(TEXT));
    expect(await refusal(again({ only: ["boc3"] }))).toMatch(
      /^There is no file boc3; there are motus_carrier,/,
    );
  });

  it("need a folder that can be written to", async () => {
    await open(serve(TEXT));
    await writeFile(path.join(dir, "a-file"), "");
    expect(await refusal(again({ outDir: path.join(dir, "a-file", "inside") }))).toMatch(/ENOTDIR.*--out/);
  });

  // As a call that can't succeed, a full disk ended the daily import of compose and the chart until the next day.
  it.runIf(process.platform === "linux")("can be tried again later when its disk is full", async () => {
    await open(serve(TEXT));
    const part = path.join(dir, `.${FILE}.part`);
    const onProgress = () => {
      if (!existsSync(part)) symlinkSync("/dev/full", part);
    };
    const error = await again({ onProgress }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ message: expect.stringMatching(/ENOSPC.*make room/) });
    expect(exitStatusOf(error)).toBe(EXIT.tryAgain);
  });
});
