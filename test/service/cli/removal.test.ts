import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Printed, runTdf } from "../../support/processes/command.ts";
import { putRegistryRow } from "../../support/registry/registry-rows.ts";
import { optOut } from "../../support/removals/opt-outs.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const SHARED = "5125550101";

let service: TestService;
let folder: string;
let byNumber: number;
let byPhone: number;

beforeAll(async () => {
  service = await startTestService({ env: { TRUST_PROXY_HOPS: "1" } });
  folder = await mkdtemp(path.join(tmpdir(), "tdf-removal-"));
  await service.context.db.transaction(async (client) => {
    for (let usdot = 100; usdot < 108; usdot++)
      await putRegistryRow(client, "census", { usdot, phone: SHARED });
  });
  byNumber = await optOut(service.url, { usdot: "1234567" });
  service.clock.advance(1_000);
  byPhone = await optOut(service.url, {
    phone: SHARED,
    requester_email: "owner@example.com",
    details: "all\nmine",
  });
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

/** The output of a command on each stream, and its exit status. */
const tdf = (...words: string[]): Promise<Printed> =>
  runTdf({ DATABASE_URL: service.context.config.databaseUrl ?? "", DATA_DIR: folder }, ...words);

async function json(...words: string[]) {
  const { out, err, status } = await tdf(...words, "--json");
  expect({ err, status }).toEqual({ err: "", status: 0 });
  return JSON.parse(out);
}

describe("from the command line", () => {
  it("requests are listed, newest first, for people and for programs", async () => {
    expect(await json("removal", "list")).toEqual([
      expect.objectContaining({ request_id: byPhone, state: "waiting", businesses: 0 }),
      expect.objectContaining({
        request_id: byNumber,
        state: "suppressed",
        businesses: 1,
        identifiers: [{ kind: "usdot", value: "1234567", state: "in_force", is_blanked: false }],
      }),
    ]);
    expect((await tdf("removal", "list")).out).toMatch(
      new RegExp(`${byPhone} .* waiting .* phone ${SHARED} +review: the phone is shared`),
    );
  });

  it("status shows waiting requests", async () => {
    expect((await tdf("status")).out).toMatch(/^LOOK {2}1 removal request waits for your decision/m);
    expect((await tdf("status", "--all")).out).toMatch(
      /Removals: 1 business, 1 contact\.\nREMOVAL REQUESTS WAIT FOR YOUR DECISION: 1/,
    );
    expect((await json("status")).removals).toMatchObject({ businesses: 1, waiting: 1, braked_feeds: [] });
  });

  it("waiting requests are reviewed, and decided on", async () => {
    expect((await tdf("removal", "review")).out.split("\n")).toEqual([
      expect.stringMatching(new RegExp(`^${byPhone} of 2026-11-21T.*: phone ${SHARED}$`)),
      "  waits because the phone is shared by more businesses than one request removes",
      "  would remove: 8 by phone",
      "  asked by owner@example.com",
      '  said: "all\\nmine"',
      "",
    ]);
    expect(await json("removal", "review")).toEqual([expect.objectContaining({ would_hide: { phone: 8 } })]);
    expect(await json("removal", "review", String(byPhone), "--accept", "--reason", "his fleet")).toEqual({
      requests: 1,
      businesses: 8,
    });
    expect((await tdf("removal", "review")).out).toBe("No removal request waits.\n");
    const again = await optOut(service.url, { phone: SHARED });
    const { out } = await tdf("removal", "review", "--all", "--reject", "--reason", "asked before");
    expect(out).toBe("1 rejected; no business is removed by them.\n");
    await tdf("removal", "undo", String(again), "--reason", "asked before");
  });

  it("the list is exported to a file that nobody else may read, or to standard output, and imported", async () => {
    const file = path.join(folder, "removals.jsonl");
    expect((await tdf("removal", "export", file)).err).toBe(`3 requests written to ${file}.\n`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const text = await readFile(file, "utf8");
    expect((await tdf("removal", "export")).out).toBe(text);
    expect(await json("removal", "import", file)).toEqual({ requests: 3, unknown: 0, businesses: 0 });
    const [format, first] = text.split("\n");
    await writeFile(file, `${format}\n${first}\n{"requests":1}\n`);
    expect((await tdf("removal", "import", file)).out).toBe(
      "1 request read, 0 of them new here; 0 more businesses are removed.\n",
    );
    await writeFile(file, text.slice(0, -5));
    expect(await tdf("removal", "import", file)).toMatchObject({
      out: "",
      status: 2,
      err: expect.stringMatching(/whole|request/),
    });
  });

  it("the list is not written to a folder, nor read from one", async () => {
    for (const command of ["export", "import"])
      expect(await tdf("removal", command, folder)).toMatchObject({
        status: 2,
        err: `${folder} is a folder; name a file.\n`,
      });
    const beside = (await readdir(path.dirname(folder))).filter((name) =>
      name.startsWith(path.basename(folder)),
    );
    expect(beside).toEqual([path.basename(folder)]);
  });

  it("requests are undone, with a reason that is kept", async () => {
    const { out } = await tdf("removal", "undo", String(byNumber), String(byPhone), "--reason", "sold to us");
    expect(out).toBe("2 undone; 9 businesses may be shown again.\n");
    expect(await json("removal", "list")).toContainEqual(
      expect.objectContaining({
        request_id: byNumber,
        state: "undone",
        identifiers: [],
        reason: "sold to us",
      }),
    );
    expect((await tdf("removal", "list")).out).toMatch(
      new RegExp(`${byNumber} .* undone +0  \\(forgotten\\) +undone: sold to us`),
    );
  });

  it("an import says how many businesses may be shown again by what was undone in the list", async () => {
    const number = await optOut(service.url, { usdot: "1234568" });
    const lines = (await tdf("removal", "export")).out.split("\n");
    const removal = JSON.parse(lines.find((line) => line.includes(`"request_id":${number},`)) ?? "");
    const undone = {
      decision: "undone",
      decided_at: "2027-01-01T00:00:00Z",
      decided_by: "operator",
      reason: "a mistake",
    };
    const later = { ...removal, identifiers: [], businesses: [], decisions: [...removal.decisions, undone] };
    const file = path.join(folder, "undone.jsonl");
    await writeFile(file, `${lines[0]}\n${JSON.stringify(later)}\n{"requests":1}\n`);
    expect((await tdf("removal", "import", file)).out).toBe(
      "1 request read, 0 of them new here; 1 business may be shown again.\n",
    );
  });

  it("an error is one line on standard error and a status that is not 0", async () => {
    const refused: [string[], RegExp][] = [
      [["undo", "x", "--reason", "y"], /^A removal request is named by its number, not "x"; .*\n$/],
      [["undo", String(byPhone), "--reason", "y"], /is already undone\.\n$/],
      [
        ["undo", String(byPhone), "--reason", " "],
        /^--reason must have 1 to 500 characters, on one line\.\n$/,
      ],
      [["review", "77"], /^Name your decision: --accept or --reject, with --reason\.\n$/],
      [["review", "--accept", "--reason", "y"], /^Name the requests by their numbers, or give --all\.\n$/],
      [["review", "--all", "--accept", "--reason", "y"], /^No removal request waits\.\n$/],
      [["import", path.join(folder, "none")], /can't be read \(ENOENT\)\.\n$/],
      [["export", path.join(folder, "no/such")], /can't be written \(ENOENT\)\.\n$/],
    ];
    await Promise.all(
      refused.map(async ([words, sentence]) => {
        const expected = { out: "", err: expect.stringMatching(sentence), status: 2 };
        expect(await tdf("removal", ...words)).toEqual(expected);
      }),
    );
  });

  it("every command has a description", async () => {
    await Promise.all(
      [["list"], ["review"], ["undo"], ["export"], ["import"]].map(async (words) => {
        expect((await tdf("removal", ...words, "--help")).out).toMatch(/^Usage: tdf removal/);
      }),
    );
  });
});
