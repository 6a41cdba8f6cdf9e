// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";

export interface ClaimKeyParams {
  lock: number;
}

export interface ClaimKeyRow {
  isClaimed: boolean;
  idleTimeout: string;
}

export const claimKey = statement<ClaimKeyParams, ClaimKeyRow>(
  import.meta.url,
  "claim-key.sql",
  ["lock"],
);

export interface FindAnswerParams {
  accountId: number;
  keyDigest: Buffer;
  since: Date;
}

export interface FindAnswerRow {
  sealed: Buffer;
}

export const findAnswer = statement<FindAnswerParams, FindAnswerRow>(
  import.meta.url,
  "find-answer.sql",
  ["accountId", "keyDigest", "since"],
);

export interface KeepAnswerParams {
  accountId: number;
  keyDigest: Buffer;
  sealed: Buffer;
  now: Date;
}

export const keepAnswer = statement<KeepAnswerParams, object>(
  import.meta.url,
  "keep-answer.sql",
  ["accountId", "keyDigest", "sealed", "now"],
);

export interface ResealAnswersParams {
  accountIds: readonly number[];
  keyDigests: readonly Buffer[];
  was: readonly Buffer[];
  anew: readonly Buffer[];
}

export const resealAnswers = statement<ResealAnswersParams, object>(
  import.meta.url,
  "reseal-answers.sql",
  ["accountIds", "keyDigests", "was", "anew"],
);

export interface SealedAnswersParams {
  afterAccountId: number;
  afterDigest: Buffer;
  since: Date;
  most: number;
}

export interface SealedAnswersRow {
  account_id: number;
  key_digest: Buffer;
  sealed: Buffer;
}

export const sealedAnswers = statement<SealedAnswersParams, SealedAnswersRow>(
  import.meta.url,
  "sealed-answers.sql",
  ["afterAccountId", "afterDigest", "since", "most"],
);
