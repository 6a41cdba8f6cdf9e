/** What code-block.ts uses of highlight.js. The package's own types bring the types of a browser into the whole program. */
type LanguageDefinition = unknown;

declare const hljs: {
  registerLanguage(name: string, language: LanguageDefinition): void;
  getLanguage(name: string): LanguageDefinition | undefined;
  highlight(code: string, options: { language: string }): { value: string };
};
export default hljs;
