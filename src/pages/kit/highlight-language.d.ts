/** A language of highlight.js, which has no types of its own. */
declare const language: unknown;
export default language;
