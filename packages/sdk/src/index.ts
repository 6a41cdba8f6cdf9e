// The public surface of the package.
export type { Retry } from "./call.ts";
export { digestOf } from "./checkpoint.ts";
export { type Carrier, type ClientOptions, createClient, type TruckingDataFeed } from "./client.ts";
export type { CsvExport } from "./csv-export.ts";
export {
  type ErrorCode,
  type ErrorFacts,
  type RequestFault,
  TruckingDataFeedError,
  VersionEndedError,
} from "./errors.ts";
export type { CarrierEvent, EventPage, EventQuery, EventStream } from "./events.ts";
export type { CarrierRecord, Feed, FeedCode, FeedFilters, FeedRecord, RecordPage } from "./feeds.ts";
export type {
  BrokerRecord,
  Checkpoint,
  EventData,
  EventType,
  InsuranceLapseRecord,
  NewAuthorityRecord,
  OptOutIn as RemovalRequest,
  OptOutOut as RemovalAccepted,
  RevocationPendingRecord,
  SecretOut as WebhookSecret,
  SmallCarrierRecord,
  TestDeliveryOut as TestDelivery,
  UsageOut as Usage,
  WebhookFilters,
  WebhookIn as NewWebhookEndpoint,
} from "./generated/operations/types.gen.ts";
export type { RecordOptions, RecordStream } from "./records.ts";
export type { SyncOptions, SyncResult } from "./sync.ts";
export {
  type Delivery,
  type RefusalReason,
  type ThinWebhookEvent,
  verifyThinWebhook,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from "./verify-webhook.ts";
export type { CallOptions, RotationOptions, WebhookCalls, WebhookEndpoint } from "./webhooks.ts";
