// refused: Property 'readUsage' is missing
import type { Handlers } from "../../../src/generated/operations.ts";
import { handlers as good } from "./good.ts";

const { listFeeds, readRecords, exportFeed, lookUpCarrier, listEvents } = good;
export const handlers: Handlers = { listFeeds, readRecords, exportFeed, lookUpCarrier, listEvents };
