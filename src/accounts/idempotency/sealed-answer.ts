import type { Context } from "../../platform/context.ts";

/** A successful answer, its body as JSON. */
export interface Answer {
  status: number;
  headers?: Readonly<Record<string, string | undefined>>;
  json: string;
}

/** What is kept of a request. */
export interface KeptAnswer {
  /** Digest of the request, which tells a repeat from another one. */
  contentDigest: string;
  answer: Answer;
}

/** Encrypts an answer, which may have a signing secret. Only the digest of its key decrypts it. */
export const sealAnswer = (
  { secrets }: Pick<Context, "secrets">,
  keyDigest: Buffer,
  kept: KeptAnswer,
): Buffer => secrets.seal(JSON.stringify(kept), boundTo(keyDigest));

/** Decrypts an answer; throws when the value was altered or is another key's. */
export const openAnswer = (
  { secrets }: Pick<Context, "secrets">,
  keyDigest: Buffer,
  sealed: Buffer,
): KeptAnswer => JSON.parse(secrets.open(sealed, boundTo(keyDigest))) as KeptAnswer;

const boundTo = (keyDigest: Buffer): string => `idempotent_answer ${keyDigest.toString("hex")}`;
