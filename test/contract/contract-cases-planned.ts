// Operations whose room is not built: the mock answers for them, so that customers can write against them already.
import { MOCK_ONLY } from "./contract-case-targets.ts";
import type { ContractCase } from "./contract-cases.ts";

const JSON_BODY = { "Content-Type": "application/json" };

type Request = Pick<ContractCase, "operation" | "method" | "path" | "headers" | "body" | "sender">;

const requestRemoval: Request = {
  ...{ operation: "requestRemoval", method: "POST", path: "/v1/opt-out", sender: "nobody" },
  ...{ headers: JSON_BODY, body: { usdot: "4312907" } },
};

const answered = (request: Request, status: number, how: Partial<ContractCase> = {}): ContractCase => ({
  ...{ ...request, title: how.code ?? how.example ?? "in order", status, targets: MOCK_ONLY },
  ...how,
});
const judged = { isJudgedByMock: true } as const;

export const plannedCases: ContractCase[] = [
  answered(requestRemoval, 202),
  answered({ ...requestRemoval, body: { details: "x".repeat(2001) } }, 422, { ...judged, title: "too long" }),
];
