import type { TargetFacts } from "./send-case.ts";

/** What the cases put into their requests to the mock, which answers whatever they name. */
export const MOCK_FACTS: TargetFacts = {
  keyOf: (sender) => (sender === "nobody" ? undefined : "tdf_live_mock_key"),
  dot: "4312907",
  staleDot: "4312908",
  staleDocket: "MC4312908",
  eventType: "reinstated",
  cursor: "ZXYxLjQ4MTUx",
  event: 48151,
  endpoint: 17,
  delivery: 90311,
  testedEndpoint: 17,
  watchlistOf: () => 12,
  ownKey: "k7Rw2mQz",
  endedKey: "k7Rw2mQz",
  versionOf: () => 412,
  removalsOf: () => 31,
};
