import { setTimeout } from "node:timers/promises";

/** Waits in real time. */
export const systemWait = (ms: number): Promise<void> => setTimeout(ms);
