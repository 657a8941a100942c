// What the search indexes of a page: its text, also that of generated pages, without colors in code.
import { existsSync } from 'node:fs'
import type { MarkdownEnv, MarkdownRenderer } from 'vitepress'
import { reference } from './reference.ts'

const generated = new Map(reference.map(({ slug, content }) => [`api/${slug}.md`, content]))

/** @returns HTML; empty for a page that is not found by searching */
export async function renderForSearch(
  source: string,
  env: MarkdownEnv,
  md: MarkdownRenderer,
): Promise<string> {
  // The overview lists what the pages of the reference describe.
  if (env.relativePath === 'api.md') return ''
  const text = existsSync(env.path) ? source : (generated.get(env.relativePath) ?? '')
  // Coloring takes most of the time, and is removed again.
  const html = await md.renderAsync(text.replaceAll(/^(\s*```)\S.*$/gm, '$1'), env)
  return env.frontmatter?.['search'] === false ? '' : html
}
