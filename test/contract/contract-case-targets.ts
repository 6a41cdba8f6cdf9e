import type { Target } from "./contract-cases.ts";

/** The mock, the service and any deployment. */
export const EVERYWHERE: readonly Target[] = ["mock", "service", "deployment"];

/** What a mock cannot judge: it knows the contract's types, and none of the rules beyond them. */
export const WITH_DATA: readonly Target[] = ["service", "deployment"];

/** What needs an account, a plan or data made for it. */
export const PREPARED: readonly Target[] = ["mock", "service"];

/** What only the service of this repository can be brought to. */
export const SERVICE_ONLY: readonly Target[] = ["service"];

/** What the service cannot be brought to while the other cases run. */
export const MOCK_ONLY: readonly Target[] = ["mock"];
