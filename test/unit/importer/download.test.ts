import { createHash } from "node:crypto";
import { existsSync, symlinkSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EXIT, exitStatusOf } from "../../../src/cli/terminal/exit-status.ts";
import {
  type DownloadedFile,
  type DownloadOptions,
  downloadRegistry,
} from "../../../src/importer/download/download.ts";
import { OperatorError } from "../../../src/platform/operator-error.ts";
import { settableClock } from "../../support/clock.ts";
import {
  type Answer,
  breakOff,
  openPortal,
  type Portal,
  serve,
  stall,
  status,
} from "../../support/network/download-portal.ts";

const FILE = "motus_carrier.csv";
const TEXT = `DOCKET_NUMBER,USDOT_NUMBER\n${"MC1,1\n".repeat(20_000)}`;
const PART = 50_000;

let dir: string;
let portal: Portal;
let waited: number[];
const clock = settableClock("2026-11-20T12:00:00Z");

beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), "tdf-download-"));
  waited = [];
});

afterEach(async () => {
  await portal?.close();
  await rm(dir, { recursive: true, force: true });
});

/** Downloads Motus Carrier from a portal that answers by the script. */
async function download(...script: Answer[]): Promise<DownloadedFile | undefined> {
  await portal?.close();
  portal = await openPortal(...script);
  return again();
}

async function again(options: Partial<DownloadOptions> = {}): Promise<DownloadedFile | undefined> {
  const wait = async (ms: number) => void waited.push(ms);
  const downloaded = await downloadRegistry({
    outDir: dir,
    portalUrls: [portal.url],
    only: ["motus_carrier"],
    clock,
    wait,
    stallMs: 10_000,
    ...options,
    onProgress: (progress) => {
      options.onProgress?.(progress);
      if (progress.step === "receive") portal.noteReceived(progress.receivedBytes);
    },
  });
  return downloaded[0];
}

const refusal = async (tried: Promise<unknown>): Promise<string> => {
  const error = await tried.then(
    () => Promise.reject(new Error("it was downloaded")),
    (reason: Error) => reason,
  );
  expect(error).toBeInstanceOf(OperatorError);
  return error.message;
};

const content = () => readFile(path.join(dir, FILE), "utf8");
const ranges = () => portal.requests.map(({ headers }) => headers.range);

describe("a complete download", () => {
  it("requests the dataset's id uncompressed, and leaves only the file with its name", async () => {
    expect(await download(serve(TEXT))).toEqual({
      dataset: "motus_carrier",
      id: "inys-ebih",
      file: FILE,
      outcome: "fetched",
      sizeBytes: TEXT.length,
    });
    expect(await content()).toBe(TEXT);
    expect(portal.requests[0]?.path).toBe("/api/views/inys-ebih/rows.csv?accessType=DOWNLOAD");
    expect(portal.requests[0]?.headers["accept-encoding"]).toBe("identity");
    expect((await readdir(dir)).filter((name) => !name.startsWith("."))).toEqual(["manifest.json", FILE]);
    expect((await readdir(dir)).join()).not.toContain("part");
  });

  it("is not repeated while the ETag is the same, even from a server without conditional requests", async () => {
    await download(serve(TEXT));
    expect(await again()).toMatchObject({ outcome: "unchanged", sizeBytes: TEXT.length });
    expect(portal.requests[1]?.headers["if-none-match"]).toBe('"one"');
    const ignorant: Answer = (request, response) => {
      delete request.headers["if-none-match"];
      return serve(TEXT)(request, response, async () => {});
    };
    await download(ignorant);
    expect(await again()).toMatchObject({ outcome: "unchanged" });
  });

  it("is repeated for another ETag, or when the file was modified", async () => {
    await download(serve(TEXT), serve(`${TEXT}MC2,2\n`, '"two"'));
    expect(await again()).toMatchObject({ outcome: "fetched" });
    expect(await content()).toBe(`${TEXT}MC2,2\n`);
    await writeFile(path.join(dir, FILE), "cut");
    expect(await again()).toMatchObject({ outcome: "fetched" });
    expect(await content()).toBe(`${TEXT}MC2,2\n`);
  });
});

describe("a download that breaks off", () => {
  it("continues where it broke off, while the ETag is the same", async () => {
    expect(await download(breakOff(TEXT, PART), serve(TEXT))).toMatchObject({
      outcome: "resumed",
      sizeBytes: TEXT.length,
    });
    expect(await content()).toBe(TEXT);
    expect(ranges()).toEqual([undefined, `bytes=${PART}-`]);
    expect(portal.requests[1]?.headers["if-range"]).toBe('"one"');
  });

  it("is continued by the next run too", async () => {
    await refusal(download(breakOff(TEXT, PART), status(404)));
    expect(await readdir(dir)).not.toContain(FILE);
    await portal.close();
    // The same address, because notes are stored for an address.
    portal = await openPortal(Number(new URL(portal.url).port), serve(TEXT));
    expect(await again()).toMatchObject({ outcome: "resumed" });
    expect(await content()).toBe(TEXT);
  });

  it.each<[string, Answer, Answer]>([
    ["the server ignores ranges", breakOff(TEXT, PART), withoutRanges(serve(TEXT))],
    ["the server has no ETag", breakOff(TEXT, PART, null), serve(TEXT)],
    ["its ETag is a weak one", breakOff(TEXT, PART, 'W/"one"'), serve(TEXT, 'W/"one"')],
    ["the file changed in between", breakOff(`old${TEXT}`, PART), serve(TEXT, '"two"')],
  ])("starts again when %s", async (_name, first, second) => {
    expect(await download(first, second)).toMatchObject({ outcome: "fetched" });
    expect(await content()).toBe(TEXT);
  });

  it("starts again when the rest belongs to another file", async () => {
    const rest = (headers: Record<string, string>) =>
      status(206, { "content-type": "text/csv", etag: '"one"', ...headers }, TEXT.slice(PART));
    const end = `${TEXT.length - 1}/${TEXT.length}`;
    for (const headers of [
      { "content-range": `bytes ${PART}-${end}`, etag: '"two"' },
      { "content-range": `bytes ${PART - 1}-${end}` },
      {},
    ]) {
      expect(await download(breakOff(TEXT, PART), rest(headers), serve(TEXT))).toMatchObject({
        outcome: "fetched",
      });
      expect(await content()).toBe(TEXT);
      await rm(path.join(dir, `.${FILE}.json`));
    }
  });

  it("starts again when the server says that the range does not exist", async () => {
    await download(breakOff(TEXT, PART), status(416, { "content-range": "bytes */10" }), serve(TEXT));
    expect(await content()).toBe(TEXT);
  });

  it("never replaces the complete file of an earlier run", async () => {
    await download(serve("DOCKET_NUMBER\nMC1\n", '"zero"'), breakOff(TEXT, PART), status(403));
    await refusal(again());
    expect(await content()).toBe("DOCKET_NUMBER\nMC1\n");
  });
});

it("two downloads into one folder do not write into the same files", async () => {
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  portal = await openPortal(async (request, response, received) => {
    asked.resolve();
    await answered.promise;
    await serve(TEXT)(request, response, received);
  });
  const first = again();
  await asked.promise;
  const error = await again().catch((reason) => reason);
  expect(error.message).toBe(`Another download into ${dir} is running; wait until it is done.`);
  expect(exitStatusOf(error)).toBe(EXIT.tryAgain);
  answered.resolve();
  expect(await first).toMatchObject({ outcome: "fetched" });
  expect(await content()).toBe(TEXT);
});

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
    portal = await openPortal(stall(TEXT, PART), serve(TEXT));
    expect(await again({ stallMs: 300 })).toMatchObject({ outcome: "resumed" });
    expect(await content()).toBe(TEXT);
  });

  it("is disconnected when it never answers", async () => {
    portal = await openPortal(() => {}, serve(TEXT));
    expect(await again({ stallMs: 300 })).toMatchObject({ outcome: "fetched" });
  });

  it("is named after all tries when nothing listens", async () => {
    portal = await openPortal(serve(TEXT));
    await portal.close();
    expect(await refusal(again())).toMatch(/in 9 tries: the connection broke off \(ECONNREFUSED\)/);
  });
});

describe("the portal that moved", () => {
  it("gets the app token with each request, and none unless it is set", async () => {
    portal = await openPortal(status(503), serve(TEXT));
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
    portal = await openPortal(answer);
    expect(await again({ portalUrls: [portal.url, mirror.url] })).toMatchObject({ outcome: "fetched" });
    expect(portal.requests).toHaveLength(requests);
    expect(mirror.requests).toHaveLength(1);
    expect(await content()).toBe(TEXT);
    await mirror.close();
  });
});

describe("the manifest", () => {
  const manifest = async () => JSON.parse(await readFile(path.join(dir, "manifest.json"), "utf8")).files;

  it("has address, size, SHA-256 and times of each file, those of other files too", async () => {
    const changed = { "last-modified": "Thu, 19 Nov 2026 09:00:00 GMT" };
    await download(serve(TEXT, '"one"', changed));
    await again({ only: ["census"] });
    const sha256 = createHash("sha256").update(TEXT).digest("hex");
    const noted = { sizeBytes: TEXT.length, sha256, changedAt: "2026-11-19T09:00:00.000Z" };
    expect(await manifest()).toEqual([
      expect.objectContaining({ file: "census.csv", ...noted }),
      {
        file: FILE,
        url: `${portal.url}/api/views/inys-ebih/rows.csv?accessType=DOWNLOAD`,
        ...noted,
        fetchedAt: "2026-11-20T12:00:00.000Z",
      },
    ]);
  });

  it("keeps the time of a file that is unchanged, and has no time of change where the portal says none", async () => {
    await download(serve(TEXT));
    const [first] = await manifest();
    expect(first).toMatchObject({ changedAt: null, fetchedAt: "2026-11-20T12:00:00.000Z" });
    await again({ clock: settableClock("2026-11-21T12:00:00Z") });
    expect(await manifest()).toEqual([first]);
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
    portal = await openPortal(serve(TEXT));
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
    portal = await openPortal(serve(TEXT));
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
    portal = await openPortal(serve(TEXT));
    expect(await refusal(again({ only: ["boc3"] }))).toMatch(
      /^There is no file boc3; there are motus_carrier,/,
    );
  });

  it("need a folder that can be written to", async () => {
    portal = await openPortal(serve(TEXT));
    await writeFile(path.join(dir, "a-file"), "");
    expect(await refusal(again({ outDir: path.join(dir, "a-file", "inside") }))).toMatch(/ENOTDIR.*--out/);
  });

  // As a call that can't succeed, a full disk ended the daily import of compose and the chart until the next day.
  it.runIf(process.platform === "linux")("can be tried again later when its disk is full", async () => {
    portal = await openPortal(serve(TEXT));
    const part = path.join(dir, `.${FILE}.part`);
    const onProgress = () => {
      if (!existsSync(part)) symlinkSync("/dev/full", part);
    };
    const error = await again({ onProgress }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ message: expect.stringMatching(/ENOSPC.*make room/) });
    expect(exitStatusOf(error)).toBe(EXIT.tryAgain);
  });
});

it("reports the progress of each file, and the reasons of waits", async () => {
  portal = await openPortal(breakOff(TEXT, PART), serve(TEXT));
  const steps: string[] = [];
  await again({
    onProgress: (progress) => {
      if (progress.step === "receive") steps.push(`${progress.receivedBytes}/${progress.sizeBytes}`);
      else steps.push(progress.step);
    },
  });
  expect(steps[0]).toBe(`0/${TEXT.length}`);
  expect(steps).toContain("wait");
  expect(steps.slice(-2)).toEqual([`${TEXT.length}/${TEXT.length}`, "done"]);
});

function withoutRanges(answer: Answer): Answer {
  return (request, response, received) => {
    delete request.headers.range;
    return answer(request, response, received);
  };
}
