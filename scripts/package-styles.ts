// Combines the app's style sheets into one that only affects a part of another app's page and resists that
// page's styles.

/** The layers in order, weakest first. */
const ORDER = ['reset', 'tokens', 'base', 'widgets', 'layout']

/** Properties that pages often set on bare elements and the app's sheets do not set. */
const NEUTRAL =
  'h1, h2, h3, p, ul, ol, li, pre, code { color: inherit; letter-spacing: normal; text-transform: none; background: none }'

/**
 * Replaces layers by source order, since unlayered styles of the page would override them, and puts
 * everything into a scope whose root replaces the document's root.
 */
export function scopedStyles(css: string, scope: string): string {
  const layers = new Map<string, string[]>(ORDER.map(name => [name, []]))
  const rest: string[] = []
  for (const block of topLevel(css)) {
    const [, name, inside] = /^@layer\s+([\w-]+)\s*\{([^]*)\}\s*$/.exec(block) ?? []
    if (name !== undefined && inside !== undefined) (layers.get(name) ?? rest).push(inside)
    else if (!block.startsWith('@layer')) rest.push(block)
  }
  const text = [...layers.values(), rest].flat().join('\n')
  const rooted = text
    .replaceAll(/:root\b/g, ':scope')
    // Scrolling and size of the page belong to the page.
    .replaceAll(/(^|[\s},])body(?=[\s,{.:[])/g, '$1:scope')
    .replaceAll(/(?<=:scope\s*\{[^}]*)overflow:\s*hidden;?/g, '')
  return `@scope (${scope}) {\n${NEUTRAL}\n${rooted}\n}`
}

/** Top-level statements and blocks. */
function topLevel(css: string): string[] {
  const text = css.replaceAll(/\/\*[^]*?\*\//g, '')
  const blocks: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (sign === '{') depth += 1
    if (sign === '}') depth -= 1
    if (depth > 0 || (sign !== '}' && sign !== ';')) continue
    blocks.push(text.slice(from, at + 1).trim())
    from = at + 1
  }
  return blocks.filter(block => block !== '' && block !== ';')
}
