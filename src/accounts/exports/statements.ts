// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";

export interface AddChargeParams {
  accountId: number;
  month: string;
  content: string;
}

export const addCharge = statement<AddChargeParams, object>(
  import.meta.url,
  "add-charge.sql",
  ["accountId", "month", "content"],
);

export interface FindChargeParams {
  accountId: number;
  month: string;
  content: string;
}

export interface FindChargeRow {
  charged: number;
  delivered: number;
  chargedByState: Record<string, number>;
  deliveredByState: Record<string, number>;
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
  delivered: number;
  chargedByState: Record<string, number>;
  deliveredByState: Record<string, number>;
}

export const lockCharge = statement<LockChargeParams, LockChargeRow>(
  import.meta.url,
  "lock-charge.sql",
  ["accountId", "month", "content"],
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

export interface WriteChargeParams {
  accountId: number;
  month: string;
  content: string;
  charged: number;
  delivered: number;
  chargedByState: string;
  deliveredByState: string;
}

export const writeCharge = statement<WriteChargeParams, object>(
  import.meta.url,
  "write-charge.sql",
  ["accountId", "month", "content", "charged", "delivered", "chargedByState", "deliveredByState"],
);
