/** Every option of a type. The compiler refuses a list that lacks one. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>;

/** Throws for an option that there is not: programs without types would otherwise pass it in vain. */
export function checkOptions<Options extends object>(
  options: Options | undefined,
  names: OptionNames<Options>,
): void {
  const unknown = Object.keys(options ?? {}).find((name) => !Object.hasOwn(names, name));
  if (unknown === undefined) return;
  throw new TypeError(
    `There is no option ${unknown}. The options here are ${Object.keys(names).join(", ")}.`,
  );
}
