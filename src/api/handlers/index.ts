import type { Handlers } from "../../generated/operations.ts";
import { countRecords } from "./countRecords.ts";
import { createWebhook } from "./createWebhook.ts";
import { exportFeed } from "./exportFeed.ts";
import { exportFeedAsNdjson } from "./exportFeedAsNdjson.ts";
import { exportFeedAsParquet } from "./exportFeedAsParquet.ts";
import { listEvents } from "./listEvents.ts";
import { listFeeds } from "./listFeeds.ts";
import { listFeedVersions } from "./listFeedVersions.ts";
import { listSources } from "./listSources.ts";
import { listWebhookDeliveries } from "./listWebhookDeliveries.ts";
import { listWebhooks } from "./listWebhooks.ts";
import { lookUpCarrier } from "./lookUpCarrier.ts";
import { pauseWebhook } from "./pauseWebhook.ts";
import { readEvent } from "./readEvent.ts";
import { readFeedChanges } from "./readFeedChanges.ts";
import { readRecords } from "./readRecords.ts";
import { readUsage } from "./readUsage.ts";
import { readWebhook } from "./readWebhook.ts";
import { readWebhookDelivery } from "./readWebhookDelivery.ts";
import { replayWebhook } from "./replayWebhook.ts";
import { requestRemoval } from "./requestRemoval.ts";
import { resendWebhookDelivery } from "./resendWebhookDelivery.ts";
import { rotateWebhookSecret } from "./rotateWebhookSecret.ts";
import { testWebhook } from "./testWebhook.ts";
import { updateWebhook } from "./updateWebhook.ts";

/** Every live operation's handler; the compiler refuses a missing and an extra one. */
export const handlers: Handlers = {
  countRecords,
  createWebhook,
  exportFeed,
  exportFeedAsNdjson,
  exportFeedAsParquet,
  listEvents,
  listFeeds,
  listSources,
  listFeedVersions,
  listWebhookDeliveries,
  listWebhooks,
  lookUpCarrier,
  pauseWebhook,
  readFeedChanges,
  readEvent,
  readRecords,
  readUsage,
  readWebhook,
  readWebhookDelivery,
  replayWebhook,
  requestRemoval,
  resendWebhookDelivery,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
};
