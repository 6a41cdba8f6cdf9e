import { describe, expect, it } from "vitest";
import { visitorOf } from "../../../../support/visitor.ts";
import { csv, newList, PLAN, service, useLists, visitor, wordsOf } from "./lists.ts";

useLists();

describe("the lists", () => {
  it("says what a list is for and what it costs, then shows lists and the plan's limit", async () => {
    const empty = wordsOf(await visitor.open("/watchlists"));
    expect(empty).toContain("No list yet");
    expect(empty).toContain("each carrier on it costs one row a month");
    expect(empty).toContain("0 of 50");
    const path = await newList("Insured <ones>");
    await visitor.send(path, { numbers: "101" });
    const filled = await visitor.open("/watchlists");
    expect(wordsOf(filled)).toContain("Insured <ones>");
    expect(wordsOf(filled)).toContain("1 of 50");
    expect(filled.text).toMatch(/aria-current="page"><svg[^>]*>.*?<\/svg>Watchlists<\/a>/);
  });

  it("refuses a name that is blank or too long, and shows what was typed", async () => {
    const blank = await visitor.send("/watchlists", { name: " ", description: "kept note" });
    expect(blank.status).toBe(422);
    expect(wordsOf(blank)).toContain("Name: Write a name.");
    expect(blank.text).toContain('value="kept note"');
    const long = await visitor.send("/watchlists", { name: "n".repeat(101), description: "" });
    expect(wordsOf(long)).toContain("Write at most 100 characters.");
  });

  it("renames a list, and deletes it after asking", async () => {
    const path = await newList("Before");
    expect(wordsOf(await visitor.send(`${path}/edit`, { name: "After", description: "" }))).toContain(
      "After",
    );
    const refused = await visitor.send(`${path}/edit`, { name: "", description: "" });
    expect([refused.status, wordsOf(refused).includes("Nothing was saved.")]).toEqual([422, true]);
    expect(wordsOf(await visitor.open(`${path}/delete`))).toContain("Delete the list");
    expect(wordsOf(await visitor.send(`${path}/delete`, {}))).toContain("The list was deleted.");
    expect((await visitor.open(path)).status).toBe(404);
  });
});

describe("who may change a list", () => {
  it("finds no list of another account", async () => {
    const path = await newList("Own");
    const other = await visitorOf(service, (await service.createAccount(PLAN)).accountId);
    const answers = [
      await other.open(path),
      await other.open(`${path}/delete`),
      await other.send(path, { numbers: "101" }),
      await other.send(`${path}/edit`, { name: "Theirs", description: "" }),
      await other.send(`${path}/remove`, { usdot: "101" }),
      await other.send(`${path}/delete`, {}),
    ];
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(404));
    expect(wordsOf(await visitor.open(path))).toContain("Own");
  });

  it.each([
    ["without the session's token", {}],
    ["from another site", { Origin: "https://elsewhere.example", "Sec-Fetch-Site": "cross-site" }],
  ])("refuses a form %s", async (_what, headers) => {
    const path = await newList("Guarded");
    for (const body of [new URLSearchParams({ numbers: "101" }), csv("usdot\n101\n")]) {
      expect((await visitor.post(path, body, headers)).status).toBe(403);
    }
    expect(
      (await visitor.post("/watchlists/mail", new URLSearchParams({ mail: "on" }), headers)).status,
    ).toBe(403);
    expect(wordsOf(await visitor.open(path))).toContain("No carrier is on this list");
  });

  it.each([
    ["no watched carriers", { watchedCarriers: 0 }, "includes no watched carriers"],
    ["no rows", { rowsPerMonth: 0 }, "has no rows"],
  ])("says that a plan has %s", async (_what, lacking, said) => {
    const { accountId: poor } = await service.createAccount({ ...PLAN, ...lacking });
    const owner = await visitorOf(service, poor);
    const page = await owner.open("/watchlists");
    expect(wordsOf(page)).toContain(said);
    expect(page.text).not.toContain("Make a list</button>");
    expect(wordsOf(await owner.open("/carriers/101"))).toContain(said);
  });
});

it("switches the daily mail on and off", async () => {
  expect(wordsOf(await visitor.open("/watchlists"))).toContain("The daily mail is off.");
  expect(wordsOf(await visitor.send("/watchlists/mail", { mail: "on" }))).toContain(
    "It begins with the next day of the registry.",
  );
  expect(wordsOf(await visitor.send("/watchlists/mail", { mail: "off" }))).toContain(
    "The daily mail is off.",
  );
});
