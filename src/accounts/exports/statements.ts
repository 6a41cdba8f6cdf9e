// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";

export interface FindChargeParams {
  accountId: number;
  month: string;
  content: string;
}

export interface FindChargeRow {
  charged: number;
}

export const findCharge = statement<FindChargeParams, FindChargeRow>(
  import.meta.url,
  "find-charge.sql",
  ["accountId", "month", "content"],
);

export interface FindExportParams {
  accountId: number;
  content: string;
}

export const findExport = statement<FindExportParams, object>(
  import.meta.url,
  "find-export.sql",
  ["accountId", "content"],
);

export interface LeaveSlotParams {
  runId: string;
}

export const leaveSlot = statement<LeaveSlotParams, object>(
  import.meta.url,
  "leave-slot.sql",
  ["runId"],
);

export interface LockChargeParams {
  accountId: number;
  month: string;
  content: string;
}

export interface LockChargeRow {
  charged: number;
}

export const lockCharge = statement<LockChargeParams, LockChargeRow>(
  import.meta.url,
  "lock-charge.sql",
  ["accountId", "month", "content"],
);

export interface LowerChargeParams {
  accountId: number;
  month: string;
  content: string;
}

export const lowerCharge = statement<LowerChargeParams, object>(
  import.meta.url,
  "lower-charge.sql",
  ["accountId", "month", "content"],
);

export interface RaiseChargeParams {
  accountId: number;
  month: string;
  content: string;
  rows: number;
}

export const raiseCharge = statement<RaiseChargeParams, object>(
  import.meta.url,
  "raise-charge.sql",
  ["accountId", "month", "content", "rows"],
);

export interface RecordDeliveryParams {
  accountId: number;
  month: string;
  content: string;
  deliveredRows: number;
}

export interface RecordDeliveryRow {
  undelivered: number;
}

export const recordDelivery = statement<RecordDeliveryParams, RecordDeliveryRow>(
  import.meta.url,
  "record-delivery.sql",
  ["accountId", "month", "content", "deliveredRows"],
);

export interface RenewSlotsParams {
  runIds: readonly string[];
  leaseSeconds: number;
}

export const renewSlots = statement<RenewSlotsParams, object>(
  import.meta.url,
  "renew-slots.sql",
  ["runIds", "leaseSeconds"],
);

export interface TakeSlotParams {
  accountId: number;
  keyId: string;
  slots: number;
  runId: string;
  content: string;
  leaseSeconds: number;
}

export interface TakeSlotRow {
  slot: number | null;
  free: number;
}

export const takeSlot = statement<TakeSlotParams, TakeSlotRow>(
  import.meta.url,
  "take-slot.sql",
  ["accountId", "keyId", "slots", "runId", "content", "leaseSeconds"],
);
