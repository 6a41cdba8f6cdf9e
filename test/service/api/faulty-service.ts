import { afterAll, beforeAll } from "vitest";
import { handlers } from "../../../src/generated/handlers.ts";
import type { Handlers } from "../../../src/generated/operations.ts";
import { memoryLog } from "../../support/memory-log.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const { listFeeds, readRecords, exportFeed } = handlers;

/** The handlers' next actions. */
export const next: Pick<Handlers, "listFeeds" | "readRecords" | "exportFeed"> = {
  listFeeds,
  readRecords,
  exportFeed,
};

export const memory = memoryLog();
export let service: TestService;
export let key: string;

/** How many of the rate headers an answer has. */
export const rateHeadersOf = (answer: Response): number =>
  ["limit", "remaining", "reset"].filter((name) => answer.headers.has(`x-ratelimit-${name}`)).length;

/** A service whose handlers do what a test wants. */
export function useFaultyService(): void {
  beforeAll(async () => {
    Object.assign(next, { listFeeds, readRecords, exportFeed });
    service = await startTestService({
      log: memory.log,
      handlers: {
        ...handlers,
        listFeeds: (input, context) => next.listFeeds(input, context),
        readRecords: (input, context) => next.readRecords(input, context),
        exportFeed: (input, context) => next.exportFeed(input, context),
      },
    });
    ({ key } = await service.createAccount({ requestsPerMinute: 100_000 }));
  });
  afterAll(() => service.stop());
}
