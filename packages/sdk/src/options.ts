/** Every option of a type. The compiler refuses a list that lacks one. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>;

/**
 * Throws for an option that there is not: programs without types would otherwise pass it in vain. Throws for NaN too, which a
 * setting that is missing becomes: it would be no limit of retries, and no wait.
 */
export function checkOptions<Options extends object>(
  options: Options | undefined,
  names: OptionNames<Options>,
): void {
  const unknown = Object.keys(options ?? {}).find((name) => !Object.hasOwn(names, name));
  if (unknown !== undefined) {
    throw new TypeError(
      `There is no option ${unknown}. The options here are ${Object.keys(names).join(", ")}.`,
    );
  }
  const [noNumber] = Object.entries(options ?? {}).find(([, value]) => Number.isNaN(value)) ?? [];
  if (noNumber !== undefined) throw new TypeError(`${noNumber} is NaN. Give a number.`);
}
