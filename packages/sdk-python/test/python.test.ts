import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { pythonWheel } from "../../../scripts/generate/packages/wheel.ts";
import { ALL_SCOPES } from "../../../src/accounts/keys/grant.ts";
import { updateSharedValues } from "../../../src/carriers/connections/shared-values.ts";
import { operationTable } from "../../../src/generated/operations.ts";
import { createTestKey } from "../../../src/testmode/test-keys.ts";
import { createList } from "../../../src/watchlists/watchlists.ts";
import { fanOut } from "../../../src/webhooks/queue/fan-out.ts";
import { putEvents } from "../../../test/support/events/events.ts";
import { putRows } from "../../../test/support/rows.ts";
import { deliveriesOf } from "../../../test/support/webhooks/deliveries.ts";
import { registerEndpoint } from "../../../test/support/webhooks/endpoints.ts";
import { AMPLE, publishBrokers } from "../../sdk/test/brokers.ts";
import { folder, printed, ROOT, run, service, useWheel, wheel } from "./python.ts";

useWheel();

/** Whether this machine's Python has the module. */
async function hasModule(name: string): Promise<boolean> {
  return run("python3", ["-m", name, "--version"]).then(
    () => true,
    () => false,
  );
}

describe("the wheel", () => {
  it("is the same bytes each time, and is installed by pip without a network", async ({ skip }) => {
    expect(await pythonWheel(ROOT)).toEqual(await readFile(wheel));
    skip(!(await hasModule("pip")), "this machine's Python has no pip");
    const target = path.join(folder, "installed");
    await run("python3", ["-m", "pip", "install", "--no-index", "--quiet", "--target", target, wheel]);
    const env = { ...process.env, PYTHONPATH: target };
    const { stdout } = await run("python3", ["-c", "import trucking_data_feed as t; print(t.__version__)"], {
      env,
    });
    expect(wheel).toContain(stdout.trim());
  });

  it("has types without a fault, for Python 3.9 too", { timeout: 120_000 }, async ({ skip }) => {
    const mypy = await run("mypy", ["--version"]).catch(() => null);
    skip(mypy === null, "this machine has no mypy");
    const unpacked = path.join(folder, "unpacked");
    await run("python3", ["-m", "zipfile", "-e", wheel, unpacked]);
    const words = [
      "--strict",
      "--python-version",
      "3.9",
      "--cache-dir",
      path.join(folder, "mypy"),
      "trucking_data_feed",
    ];
    await run("mypy", words, { cwd: unpacked });
  });
});

it("has a call for every operation, which the service answers", { timeout: 60_000 }, async () => {
  const { key, accountId } = await service.createAccount({ ...AMPLE, scopes: ALL_SCOPES });
  const ownKey = (await service.createKey(accountId)).id;
  const version = await publishBrokers(service, [4_400_000, 4_400_001]);
  await putRows(service.context.db.pool, "census", { usdot: 4_400_000, is_individual: false });
  await updateSharedValues(service.context);
  const [endpoint, other] = [
    await registerEndpoint(service.context, accountId),
    await registerEndpoint(service.context, accountId),
  ];
  const [event] = await putEvents(service.context.db, [
    { usdot: 4_400_000, detectedAt: "2026-11-21T12:00:00Z" },
  ]);
  await fanOut(service.context);
  const [delivery] = await deliveriesOf(service.context, endpoint.id);
  const watchlist = await createList(service.context, accountId, { name: "Clients" });
  const given = {
    baseUrl: service.url,
    key,
    version,
    event,
    endpoint: endpoint.id,
    other: other.id,
    delivery: delivery?.id,
    watchlist: watchlist.id,
    ownKey,
    testKey: (await createTestKey(service.context, accountId, "test")).key,
  };
  const made = await printed("calls.py", given);
  const forms = Object.entries(operationTable).map(([id, { method, path: form }]) => {
    const address = form.replaceAll(/\{\w+\}/g, "[^/]+");
    return [id, [expect.stringMatching(new RegExp(`^${method.toUpperCase()} ${address}$`))]];
  });
  expect(made).toEqual(Object.fromEntries(forms));
});
