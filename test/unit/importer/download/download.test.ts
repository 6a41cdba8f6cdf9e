import { createHash } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT, exitStatusOf } from "../../../../src/cli/terminal/exit-status.ts";
import { settableClock } from "../../../support/clock.ts";
import { type Answer, breakOff, serve, status } from "../../../support/network/download-portal.ts";
import {
  again,
  content,
  dir,
  download,
  FILE,
  open,
  PART,
  portal,
  ranges,
  refusal,
  TEXT,
  useDownloads,
} from "./downloads.ts";

useDownloads();

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
    await open(Number(new URL(portal.url).port), serve(TEXT));
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
  await open(async (request, response, received) => {
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

it("reports the progress of each file, and the reasons of waits", async () => {
  await open(breakOff(TEXT, PART), serve(TEXT));
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
