import { beforeAll, describe, expect, it } from "vitest";
import { removeBusinesses, undoRemovals } from "../../../../support/removals/removals.ts";
import { visitorOf } from "../../../../support/visitor.ts";
import { csv, MANY, newList, PLAN, rowsUsed, service, useLists, visitor, wordsOf } from "./lists.ts";

useLists();

describe("the carriers of a list", () => {
  // Its row of the month is charged before.
  beforeAll(async () => {
    await visitor.send(await newList("Earlier"), { numbers: "101" });
  });

  it("adds typed numbers in any spelling, and says what became of each", async () => {
    const path = await newList("Typed");
    const before = await rowsUsed();
    const page = await visitor.send(path, {
      numbers: "USDOT 101; mc-102\n 105\t9999 | MC 900, tomato 101",
    });
    const words = wordsOf(page);
    expect(words).toContain("2 carriers added");
    expect(words).toContain("1 row of this month's quota was charged.");
    expect((await rowsUsed()) - before).toBe(1);
    expect(words).toMatch(/No carrier of your plan's states has these numbers \(2\): 105, 9999/);
    expect(words).toContain("1 could not be read: tomato.");
    expect(words).toContain("1 number was there twice or more; a carrier is on a list once.");
    expect(words).toContain("MC900: USDOT 103 Add USDOT 104 Add");
    expect(page.text).toMatch(/<a href="[^"]*\/dashboard\/carriers\/103">/);
    const kinds = wordsOf(
      await visitor.send(path, {
        numbers: "U.S. DOT 5001, US DOT No. 5002; US-DOT #5003; M.C. No. 5004 MC–5005 DOT Number: 5006",
      }),
    );
    expect(kinds).toContain("6 carriers added");
    expect(kinds).not.toContain("could not be read");
    const again = wordsOf(await visitor.send(path, { numbers: "101 104" }));
    expect(again).toContain("1 carrier added");
    expect(again).toContain("1 carrier was on the list already.");
  });

  it.each([
    ["a head that says so", "Company,DOT Number,Trucks\nA,101,3\nB,102,4\n", "“DOT Number”", 2],
    ["a head of MC numbers without their prefix", "name;mc\r\nA;101\r\nB;MC-102\r\n", "“mc”", 2],
    ["no head", "101\n102\n", "1", 2],
    ["a head that says nothing", "who,what\nA,00000101\nB,102\n", "2", 2],
    ["a byte order mark and quotes", '\uFEFF"usdot"\n"101"\n', "“usdot”", 1],
    // The comma split the name, and its number was lost.
    ["tabs, and a comma in a name", "Company\tUSDOT\nA, INC\t101\nB\t102\n", "“USDOT”", 2],
    ["semicolons, and commas in names", '"Company, town, note";USDOT\nA, INC;101\nB;102\n', "“USDOT”", 2],
    ["bars, and a comma in a name", "Company|USDOT|Note\nA, INC|101|x\nB|102|y\n", "“USDOT”", 2],
    ["the kind of number in its cells", "usdot\nUSDOT 101\nU.S. DOT No. 102\n", "“usdot”", 2],
    // Digits below these heads were read as USDOT numbers.
    ["SAFER's head of dockets", "Company,MC/MX/FF Number(s)\nA,101\nB,MC-102\n", "“MC/MX/FF Number(s)”", 2],
    ["a head in the plural", "MC Numbers,Trucks\n101,3\n102,4\n", "“MC Numbers”", 2],
    ["a head of more words", "Trucks,FMCSA MC#s,town\n3,101,X\n4,102,Y\n", "“FMCSA MC#s”", 2],
    ["another head of the plural", "Year,USDOT Number(s)\n1,101\n2,102\n", "“USDOT Number(s)”", 2],
    ["a form's name in a head", "usdot,MCS-150 date\n101,20260101\n,20260102\n102,\n", "“usdot”", 2],
    ["a head of what an MC number is", "DOT num,MC status\n101,active\n102,none\n", "1", 2],
    ["no head, and names of MC", "MC LINES INC,101\nB,102\n", "2", 2],
    // Spreadsheets write these for the separator, and to keep leading zeros.
    [
      "a first line of its separator",
      "\uFEFFsep=|\r\nCompany|USDOT\r\nA, INC|101\r\nB|102\r\n",
      "“USDOT”",
      2,
    ],
    ["numbers as formulas", 'Company;USDOT\nA;="00000101"\nB;"=""102"""\n', "“USDOT”", 2],
    ["commas, and a semicolon in a name", "Company,Town,USDOT\nA; INC,X,101\nB,Y,102\n", "“USDOT”", 2],
  ])("reads a CSV file with %s", async (_what, text, column, carriers) => {
    const words = wordsOf(await visitor.send(await newList("File"), csv(text)));
    const numbers = carriers === 1 ? "1 number was" : `${carriers} numbers were`;
    expect(words).toContain(`${numbers} read from column ${column} of the file.`);
    expect(words).toContain(`${carriers} carrier${carriers === 1 ? "" : "s"} added`);
  });

  // Rows with a docket alone vanished without a word.
  it("reads the docket of a row without a USDOT number", async () => {
    const file = csv(
      "usdot,company,mc,FF number\n101,A,,\n,B,102,\n,C,MC-5001,\n,D,,FF5\n5002,E,900,\n,F,,\n",
    );
    const words = wordsOf(await visitor.send(await newList("Both"), file));
    expect(words).toContain(
      "5 numbers were read from column “usdot” of the file, and where it has none from “mc” or “FF number”.",
    );
    expect(words).toContain("4 carriers added");
    expect(words).toMatch(/No carrier of your plan's states has these numbers \(1\): FF5/);
    const whole = csv("usdot,mc\n101,MC900\n102,MC900\n");
    expect(wordsOf(await visitor.send(await newList("Whole"), whole))).toContain(
      "2 numbers were read from column “usdot” of the file.",
    );
  });

  // The dockets were not read where the file says in words or with a sign that there is no USDOT number.
  it.each(["N/A", "0", "-"])("reads the docket of a row whose USDOT number is %s", async (none) => {
    const file = csv(`usdot,mc\n${none},MC102\n101,MC5001\n${none},none\n`);
    const words = wordsOf(await visitor.send(await newList(`None ${none}`), file));
    expect(words).toContain(
      "3 numbers were read from column “usdot” of the file, and where it has none from “mc”.",
    );
    expect(words).toContain("2 carriers added");
    expect(words).toContain(`1 could not be read: ${none}.`);
  });

  // The carriers that have them as USDOT numbers were added and charged.
  it.each(["Docket", "docket_no", "Docket number", "dockets", "FF"])(
    "reads no digits alone below the head %s",
    async (head) => {
      const file = csv(`Company,${head}\nA,101\nB,mc-102\nC,USDOT 103\n`);
      const words = wordsOf(await visitor.send(await newList(head), file));
      expect(words).toContain("1 carrier added");
      expect(words).toContain("2 could not be read: 101, USDOT 103.");
    },
  );

  // Spreadsheets call it "Unicode text". It was read as UTF-8: its head and all its numbers were lost.
  it.each(["little", "big"])("reads a file in UTF-16, %s end first", async (end) => {
    const bytes = Buffer.from("\uFEFFCompany\tDOT Number\nÉCLAIR\t101\nB\t102\n", "utf16le");
    const file = new Uint8Array(end === "big" ? bytes.swap16() : bytes);
    const words = wordsOf(await visitor.send(await newList(`UTF-16 ${end}`), csv(file)));
    expect(words).toContain("2 numbers were read from column “DOT Number” of the file.");
  });

  it("refuses a file without numbers, too many numbers and a file that is too large", async () => {
    const path = await newList("Refused");
    const none = await visitor.send(path, csv("name\nACME\n"));
    expect([none.status, wordsOf(none).includes("No number was found")]).toEqual([422, true]);
    const many = Array.from({ length: 10_001 }, (_, index) => index + 1).join("\n");
    const tooMany = await visitor.send(path, csv(many));
    expect([tooMany.status, wordsOf(tooMany).includes("These are 10,001 numbers.")]).toEqual([422, true]);
    const large = await visitor.send(path, csv(`usdot\n${"101\n".repeat(1_100_000)}`));
    expect([large.status, wordsOf(large).includes("larger than 4 MB")]).toEqual([413, true]);
    expect(wordsOf(await visitor.open(path))).toContain("No carrier is on this list");
  });

  it("adds none beyond the plan's limit, and keeps what was typed", async () => {
    const path = await newList("Beyond");
    const page = await visitor.send(path, { numbers: MANY.join(" ") });
    expect(page.status).toBe(400);
    expect(wordsOf(page)).toContain("your plan allows 50. Nothing was changed.");
    expect(page.text).toContain("5001 5002");
  });

  it("shows carriers page by page, and takes one off", async () => {
    const account = await service.createAccount({ ...PLAN, watchedCarriers: 200 });
    const owner = await visitorOf(service, account.accountId);
    const path = await newList("Large", owner);
    const first = await owner.send(path, { numbers: MANY.join(",") });
    expect(wordsOf(first)).toContain("101 carriers added");
    expect(first.text).toContain("CARRIER &lt;5100&gt;");
    expect(first.text).not.toContain("CARRIER &lt;5101&gt;");
    const next = /href="[^"]*\/dashboard(\/watchlists\/\d+\?cursor=[^"]+)"/.exec(first.text)?.[1] ?? "";
    expect(wordsOf(await owner.open(next))).toContain("CARRIER <5101>");
    expect(wordsOf(await owner.send(`${path}/remove`, { usdot: "5001" }))).toContain("1 carrier removed");
    expect(wordsOf(await owner.send(`${path}/remove`, { usdot: "5001" }))).toContain(
      "The carrier was not on the list any more",
    );
    expect((await owner.open(path)).text).not.toContain("CARRIER &lt;5001&gt;");
  });

  it("shows the newest changes by day in words, and none of a removed business", async () => {
    const path = await newList("Changes");
    const words = wordsOf(await visitor.send(path, { numbers: "101" }));
    expect(words).toMatch(
      /21 November CARRIER <101> Policy \(MC101, liability, policy AB1\) is new: insurer NEW <MUTUAL> \(18 November\)\./,
    );
    expect(words).toMatch(/20 November CARRIER <101> Phone changed from 5125550142 to 5125550177\./);
    await removeBusinesses(service.context.db, [101]);
    try {
      const removed = await visitor.open(path);
      expect(removed.text).not.toContain("5125550142");
      expect(removed.text).not.toContain("CARRIER &lt;101&gt;");
    } finally {
      await undoRemovals(service.context.db);
    }
  });
});

describe("the page of a carrier", () => {
  it("puts it on a list that is made for it, and takes it off", async () => {
    const account = await service.createAccount(PLAN);
    const owner = await visitorOf(service, account.accountId);
    expect(wordsOf(await owner.open("/carriers/101"))).toContain("A watched carrier costs one row");
    const watched = await owner.send("/carriers/101/watch", { list: "new" });
    // The form says there what was done.
    expect(watched.path).toMatch(/^\/carriers\/101\?.*#watch$/);
    expect(wordsOf(watched)).toContain("1 row of this month's quota was charged.");
    expect(wordsOf(watched)).toContain("On your list Watched .");
    const id = /\/watchlists\/(\d+)\/remove/.exec(watched.text)?.[1];
    const removed = await owner.send(`/watchlists/${id}/remove`, { usdot: "101", from: "carrier" });
    expect(removed.path).toMatch(/^\/carriers\/101/);
    expect(wordsOf(removed)).not.toContain("On your list");
  });
});
