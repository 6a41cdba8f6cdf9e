// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../platform/database/statement.ts";

export interface ResealParams {
  endpointIds: readonly number[];
  was: readonly Buffer[];
  anew: readonly Buffer[];
  isPrevious: boolean;
}

export const reseal = statement<ResealParams, object>(
  import.meta.url,
  "reseal.sql",
  ["endpointIds", "was", "anew", "isPrevious"],
);

export interface SealedSecretsParams {
  afterId: number;
  most: number;
}

export interface SealedSecretsRow {
  id: number;
  secret_sealed: Buffer;
  previous_secret_sealed: Buffer | null;
}

export const sealedSecrets = statement<SealedSecretsParams, SealedSecretsRow>(
  import.meta.url,
  "sealed-secrets.sql",
  ["afterId", "most"],
);
