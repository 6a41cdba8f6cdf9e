/** Ends the process. When the packages for generating are not installed it prints one line, else the error. */
export function endWithoutPackages(error: Error): void {
  const isMissing = (error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND";
  const line =
    "src/generated is missing or out of date, and the development packages that write it are not installed. " +
    "Run `npm ci && npm run generate` once; `npm prune --omit=dev` then takes those packages away again.";
  process.stderr.write(`${isMissing ? line : error.stack}\n`);
  process.exit(1);
}
