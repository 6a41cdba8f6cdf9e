import type { Call } from "../answer.ts";
import { askOnce, type CallOptions, type Connection } from "../call.ts";
import type { CarrierEvent } from "../events.ts";
import * as api from "../generated/operations/sdk.gen.ts";
import type { TestEventIn } from "../generated/operations/types.gen.ts";

/** What only a client with a test key may call. */
export interface TestModeCalls {
  /** Makes an event that only you see: it is sent to your test endpoints within seconds. */
  createTestEvent(event: TestEventIn, options?: CallOptions): Call<CarrierEvent>;
}

export const testModeCalls = (connection: Connection): TestModeCalls => ({
  createTestEvent: (body, options) =>
    askOnce(
      connection,
      (sent) => api.createTestEvent({ ...sent, body }),
      options,
    ) as unknown as Call<CarrierEvent>,
});
