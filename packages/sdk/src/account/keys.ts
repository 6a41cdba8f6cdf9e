import { type Call, mapped } from "../answer.ts";
import { ask, askOnce, type CallOptions, type Connection } from "../call.ts";
import * as api from "../generated/operations/sdk.gen.ts";
import type { KeyOut, KeyRotationIn, KeysOut, NewKeyIn } from "../generated/operations/types.gen.ts";
import { checkOptions } from "../options.ts";
import { listByCursor, PAGE_OPTIONS, type PagedList, type PageOptions } from "../pages.ts";

/** A key of the account. Only the answers that make or rotate it have `key`, the whole key. */
export type ApiKey = KeyOut;

/** The account's keys. The client's own key needs the scope `keys:write`, and can't give more than it has. */
export interface KeyCalls {
  /** The keys, oldest first, revoked ones too. */
  list(options?: PageOptions): PagedList<KeysOut>;
  /** Makes a key. Store `key` of the answer: no other call returns it. */
  create(key: NewKeyIn, options?: CallOptions): Call<ApiKey>;
  /** Gives a key a new secret. The old one works for `grace_seconds`, 24 hours unless given. */
  rotate(keyId: string, rotation?: KeyRotationIn, options?: CallOptions): Call<ApiKey>;
  /** Revokes a key. This can't be undone. */
  revoke(keyId: string, options?: CallOptions): Call<void>;
}

/** The calls of `client.keys`. */
export function keyCalls(connection: Connection): KeyCalls {
  const to = (keyId: string) => ({ path: { key_id: keyId } });
  return {
    list: (how = {}) => {
      checkOptions(how, PAGE_OPTIONS);
      const { pageSize: limit = 1000, ...options } = how;
      return listByCursor((at) => {
        const query = { limit, ...at };
        return ask(connection, (sent) => api.listKeys({ ...sent, query }), options);
      });
    },
    create: (body, options) => askOnce(connection, (sent) => api.createKey({ ...sent, body }), options),
    rotate: (id, body = {}, options) =>
      askOnce(connection, (sent) => api.rotateKey({ ...sent, ...to(id), body }), options),
    revoke: (id, options) =>
      mapped(
        ask(connection, (sent) => api.revokeKey({ ...sent, ...to(id) }), options),
        () => {},
      ),
  };
}
