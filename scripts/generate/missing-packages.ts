/**
 * Ends the process. When the packages for generating are not installed, or openapi.yaml has a mistake in its form, it prints
 * what to do, else the error.
 */
export function endWithoutPackages(error: Error): void {
  process.stderr.write(`${textOf(error)}\n`);
  process.exit(1);
}

function textOf(error: NodeJS.ErrnoException): string | undefined {
  if (error.name === "YAMLParseError") return `openapi.yaml is not valid YAML: ${error.message.trimEnd()}`;
  if (error.code !== "ERR_MODULE_NOT_FOUND") return error.stack;
  return (
    "src/generated is missing or out of date, and the development packages that write it are not installed. " +
    "Run `npm ci && npm run generate` once; `npm prune --omit=dev` then takes those packages away again."
  );
}
