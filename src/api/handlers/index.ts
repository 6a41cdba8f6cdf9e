import type { Handlers } from "../../generated/operations.ts";
import { exportFeed } from "./exportFeed.ts";
import { listEvents } from "./listEvents.ts";
import { listFeeds } from "./listFeeds.ts";
import { lookUpCarrier } from "./lookUpCarrier.ts";
import { readRecords } from "./readRecords.ts";
import { readUsage } from "./readUsage.ts";

/** Every live operation's handler; the compiler refuses a missing and an extra one. */
export const handlers: Handlers = {
  exportFeed,
  listEvents,
  listFeeds,
  lookUpCarrier,
  readRecords,
  readUsage,
};
