import { describe, expect, it } from "vitest";
import { renderMarkdown } from "../../../src/pages/guides/markdown.ts";
import { configFrom } from "../../../src/platform/config/config.ts";
import type { EntryContext } from "../../../src/platform/context.ts";

const context = { config: configFrom({ PUBLIC_URL: "https://example.com/trucking" }) } as EntryContext;
const shown = (markdown: string): string => renderMarkdown(context, markdown).body.text.trim();

describe("Markdown on a page", () => {
  it.each([
    ["<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"],
    ["a <b onclick=x>bold</b> word", "<p>a &lt;b onclick=x&gt;bold&lt;/b&gt; word</p>"],
    ["`<i>`", "<p><code>&lt;i&gt;</code></p>"],
  ])("shows HTML as text: %s", (markdown, expected) => {
    expect(shown(markdown)).toBe(expected);
  });

  it("leads to paths of this deployment, and leaves other addresses alone", () => {
    expect(shown("[a](/docs/errors#x) [b](https://example.org/)")).toBe(
      '<p><a href="/trucking/docs/errors#x">a</a> <a href="https://example.org/">b</a></p>',
    );
  });

  it("gives each heading an id of its own, and lists those of the second level", () => {
    const { body, parts } = renderMarkdown(
      context,
      "# A guide\n\n## What `since` costs\n\n## What since costs\n",
    );
    expect(parts).toEqual([
      { id: "what-since-costs", title: "What since costs" },
      { id: "what-since-costs-2", title: "What since costs" },
    ]);
    for (const { id } of parts) expect(body.text).toContain(`<h2 id="${id}">`);
  });

  it("shows code with a button to copy it, coloured where the language is known", () => {
    expect(shown('```json\n{"a": 1}\n```')).toContain('<span class="hljs-attr">&quot;a&quot;</span>');
    expect(shown("```csv\na<b\n```")).toContain('<code id="code-1">a&lt;b</code>');
  });
});
