/** Facts of the real registry, which the caller knows. */
export interface RealRegistry {
  /** The columns of the census file in the official order. */
  censusColumns: readonly string[];
  /** The day on which the legacy files stopped, YYYY-MM-DD. */
  legacyFrozenOn: string;
  counties: readonly County[];
}

/** A county of the registry's own list: its state's code and its three digits there. */
export interface County {
  state: string;
  code: string;
}
