import { expect, it } from "vitest";
import { withoutSecrets } from "../../../src/platform/log.ts";

it.each([
  ["a key in a sentence", "refused tdf_live_5tpjVxK8_QBtOyMGDKku3fN2pp51SRgEDgw4zrE2aND4r today", "QBtOyMGD"],
  ["a test key", "refused tdf_test_5tpjVxK8_QBtOyMGDKku3fN2pp51SRgEDgw4zrE2aND4r today", "QBtOyMGD"],
  ["two keys", "tdf_live_5tpjVxK8_QBtOyMGDKku3 tdf_live_5tpjVxK8_QBtOyMGDKku3", "QBtOyMGD"],
  ["a database address", '{"err":"connect postgresql://tdf:hunter2@db:5432/tdf failed"}', "hunter2"],
  ["a mail server's address", "smtps://tdf:hunter2@mail.example:465", "hunter2"],
  ["a signing secret", "whsec_5tpjVxK8QBtOyMGDku3fN2pp51SRgEDgw4zrE2aN", "QBtOyMGD"],
  ["a database address without a user", "postgres://:hunter2@db/tdf", "hunter2"],
])("removes a secret: %s", (_name, line, secret) => {
  expect(line).toContain(secret);
  expect(withoutSecrets(line)).not.toContain(secret);
});

it("keeps the part of a key that identifies it", () => {
  expect(withoutSecrets("tdf_live_5tpjVxK8_QBtOyMGDKku3")).toBe("tdf_live_5tpjVxK8_…");
});
