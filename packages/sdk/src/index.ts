// The public surface of the package.

export type { ApiKey, KeyCalls } from "./account/keys.ts";
export type { Allowance, Answer, Call, Pages } from "./answer.ts";
export type { CallOptions, Retry } from "./call.ts";
export type {
  Carrier,
  CarrierCalls,
  CarrierLookups,
  CarrierSearch,
  CarriersFound,
  TimelineEntry,
  TimelinePage,
  TimelineQuery,
} from "./carriers/carriers.ts";
export type {
  ConnectedBusiness,
  ConnectionCalls,
  ConnectionsPage,
  ConnectionsQuery,
} from "./carriers/connections.ts";
export type { ChangeFilters, ChangeOptions, ChangePage, FeedChange } from "./changes.ts";
export { digestOf } from "./checkpoint.ts";
export { createClient, type TruckingDataFeed } from "./client.ts";
export type { ClientOptions } from "./connection.ts";
export type { CorrectionQuery } from "./corrections.ts";
export {
  type ErrorCode,
  type ErrorFacts,
  type RequestFault,
  TruckingDataFeedError,
  VersionEndedError,
} from "./errors.ts";
export type { CarrierEvent, EventPage, EventQuery, EventStream } from "./events.ts";
export type { ExportFormat, ExportOptions, FeedExport } from "./export.ts";
export type { CarrierRecord, Feed, FeedCode, FeedFilters, FeedRecord, RecordPage } from "./feeds.ts";
export type {
  BrokerRecord,
  Checkpoint,
  CorrectionKind,
  CorrectionOut as EventCorrection,
  CorrectionsOut as CorrectionPage,
  DeliveryDetailOut as WebhookDeliveryDetail,
  DeliveryOut as WebhookDelivery,
  DeliveryQueuedOut as QueuedDelivery,
  EventData,
  EventType,
  FeedVersionOut as FeedVersion,
  InsuranceLapseRecord,
  KeyRotationIn as KeyRotation,
  NewAuthorityRecord,
  NewKeyIn as NewApiKey,
  OptOutIn as RemovalRequest,
  OptOutOut as RemovalAccepted,
  RecordCountOut as RecordCount,
  ReplayIn as ReplayRange,
  ReplayOut as ReplayResult,
  RevocationPendingRecord,
  RotationIn as SecretRotation,
  SecretOut as WebhookSecret,
  SmallCarrierRecord,
  SourceOut as Source,
  TestDeliveryOut as TestDelivery,
  UsageOut as Usage,
  WatchedCarriersChanged,
  WatchedCarriersIn,
  WebhookChange,
  WebhookFilters,
  WebhookIn as NewWebhookEndpoint,
} from "./generated/operations/types.gen.ts";
export type { PagedList, PageOptions } from "./pages.ts";
export * from "./receiving.ts";
export type { RecordOptions } from "./records.ts";
export type { SyncOptions, SyncResult } from "./sync/sync.ts";
export { refreshRecord, type VersionDays } from "./volatile.ts";
export type { CarrierChange, CarrierChangeQuery, Watchlist, WatchlistCalls } from "./watchlists.ts";
export type { DeliveryQuery, WebhookCalls, WebhookEndpoint } from "./webhooks/webhook-calls.ts";
