import type { Target } from "./contract-cases.ts";

/** The mock, the service and any deployment. */
export const EVERYWHERE: readonly Target[] = ["mock", "service", "deployment"];

/** Cases that a mock cannot check: it knows the contract's types, and none of the rules beyond them. */
export const WITH_DATA: readonly Target[] = ["service", "deployment"];

/** Cases that need an account, a plan or data made for them. */
export const PREPARED: readonly Target[] = ["mock", "service"];

/** Cases that only the service of this repository can be brought to. */
export const SERVICE_ONLY: readonly Target[] = ["service"];

/** Cases that the service cannot be brought to while the others run. */
export const MOCK_ONLY: readonly Target[] = ["mock"];
