// Makes of the app's style sheets one that reaches a part of another app's page alone, and stands up to that page's own.

/** The layers in their order, the weakest first. */
const ORDER = ['reset', 'tokens', 'base', 'widgets', 'layout']

/** What pages often say of bare elements, and the app's sheets leave alone. */
const NEUTRAL =
  'h1, h2, h3, p, ul, ol, li, pre, code { color: inherit; letter-spacing: normal; text-transform: none; background: none }'

/**
 * Layers become an order of text, since whatever the page itself says without a layer would win over them; and all is
 * put into a scope whose root stands for the document's.
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
    // The page's own scrolling and size are its own.
    .replaceAll(/(^|[\s},])body(?=[\s,{.:[])/g, '$1:scope')
    .replaceAll(/(?<=:scope\s*\{[^}]*)overflow:\s*hidden;?/g, '')
  return `@scope (${scope}) {\n${NEUTRAL}\n${rooted}\n}`
}

/** Statements and blocks that stand in no other. */
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
