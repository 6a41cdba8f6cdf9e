/** A word of the contract for people to read: `carrier_property` as `carrier property`. */
export const inWords = (word: string | null | undefined): string | undefined => word?.replaceAll("_", " ");
