/** Runs in a process of the benchmark: answers jobs of its parent process until the parent ends. */
export function answerJobs<Job>(answer: (job: Job) => Promise<unknown>): void {
  process.on("message", async ({ id, job }: { id: number; job: Job }) => {
    try {
      process.send?.({ id, answer: await answer(job) });
    } catch (error) {
      process.send?.({ id, error: (error as Error).stack });
    }
  });
  process.on("disconnect", () => process.exit());
}
