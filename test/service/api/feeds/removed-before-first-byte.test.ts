// A business that is removed between the check of an export and its first byte.
import { afterEach, expect, it } from "vitest";
import { untilLockWait } from "../../../support/database.ts";
import { untilExportsEnd } from "../../../support/feeds/exports.ts";
import { removeBusinesses, undoRemovals } from "../../../support/removals/removals.ts";
import {
  ask,
  bytesOf,
  exportRowsOf,
  FORMATS,
  one,
  PLAN,
  pathOf,
  ROWS,
  type Sent,
  useExportServices,
} from "./exported-bytes.ts";

useExportServices();
afterEach(() => undoRemovals(one().context.db));

/** Asks for an export, and removes a business while its rows are charged. */
async function askMeanwhile(format: string, key: string, sent: Sent, removed: number): Promise<Response> {
  const { db } = one().context;
  const { answer } = await db.transaction(async (client) => {
    await client.query("LOCK TABLE export_charge");
    const asked = ask(one(), pathOf(format), key, sent);
    asked.catch(() => {});
    await untilLockWait(db.bulkPool, "export_charge");
    await removeBusinesses(db, [removed]);
    return { answer: asked };
  });
  return answer;
}

// The connection was closed without an answer: the bytes of the part had the business, so none of them could be sent.
it.each(FORMATS)("a part as %s is one of the new file, or 412 with If-Match", async (format) => {
  const { key } = await one().createAccount(PLAN);
  const head = await one().send("HEAD", pathOf(format), { key, headers: { "Accept-Encoding": "identity" } });
  const tag = head.headers.get("etag") ?? "";
  const refused = await askMeanwhile(format, key, { Range: "bytes=2000-", "If-Match": tag }, 99);
  expect([refused.status, await refused.json()]).toMatchObject([412, { code: "export_changed" }]);
  expect(await exportRowsOf(key)).toBe(0);
  const part = await askMeanwhile(format, key, { Range: "bytes=2000-" }, 101);
  expect([part.status, part.headers.get("x-row-count")]).toEqual([206, String(ROWS - 2)]);
  const bytes = await bytesOf(part);
  await untilExportsEnd(one().context);
  const whole = await bytesOf(await ask(one(), pathOf(format), key));
  expect(bytes.equals(whole.subarray(2000))).toBe(true);
  expect(await exportRowsOf(key)).toBe(ROWS - 2);
});
