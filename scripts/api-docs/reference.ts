// The API reference of the documentation site: one page for each entry of the package, one heading for each name.
import type { DocumentedName, Entry } from './collect.ts'

export interface ReferencePage {
  /** Last part of its path: `react` for `chartroom/react`, and `client` for the main entry. */
  readonly slug: string
  readonly title: string
  /** Markdown. */
  readonly content: string
  /** Anchors by exported name. */
  readonly anchors: ReadonlyMap<string, string>
}

const KINDS = { function: 'Functions', class: 'Classes', constant: 'Constants', type: 'Types' } as const

export const slugOf = (entry: string): string => entry.split('/').slice(1).join('-') || 'client'

export function referencePages(entries: readonly Entry<DocumentedName>[]): readonly ReferencePage[] {
  return entries.map(entry => {
    const anchors = anchorsOf(entry.exports)
    return {
      slug: slugOf(entry.name),
      title: entry.name,
      content: pageOf(entry, anchors),
      anchors,
    }
  })
}

/** Anchors are case-insensitive, names are not: `Assertion` and `assertion` differ by their kind. */
function anchorsOf(names: readonly DocumentedName[]): ReadonlyMap<string, string> {
  const taken = new Set(['entry', ...Object.values(KINDS).map(title => title.toLowerCase())])
  const order = names.toSorted((a, b) => Number(a.kind === 'type') - Number(b.kind === 'type'))
  return new Map(
    order.map(({ name, kind }) => {
      const plain = name.toLowerCase().replaceAll('_', '-')
      const anchor = taken.has(plain) ? `${plain}-${kind}` : plain
      taken.add(anchor)
      return [name, anchor]
    }),
  )
}

function pageOf(
  { name, file, description, exports }: Entry<DocumentedName>,
  anchors: ReadonlyMap<string, string>,
): string {
  const sections = Object.entries(KINDS).flatMap(([kind, title]) => {
    const names = exports.filter(one => one.kind === kind)
    return names.length === 0
      ? []
      : [`## ${title} {#${title.toLowerCase()}}`, ...names.flatMap(one => sectionOf(one, anchors))]
  })
  return [
    `# ${name} {#entry}`,
    `${proseOf(description)} Source: \`${file}\`.`,
    '```ts\n' + importOf(name, exports) + '\n```',
    ...sections,
  ].join('\n\n')
}

/** A few names as an example, values before types. */
function importOf(entry: string, names: readonly DocumentedName[]): string {
  const values = names.filter(({ kind }) => kind !== 'type').slice(0, 3)
  const more = names.length > values.length ? ', …' : ''
  return `import { ${values.map(({ name }) => name).join(', ')}${more} } from '${entry}'`
}

function sectionOf(
  { name, doc, code, file }: DocumentedName,
  anchors: ReadonlyMap<string, string>,
): string[] {
  return [
    `### ${name} {#${anchors.get(name) ?? ''}}`,
    ...docOf(doc),
    ...(code === '' ? [] : ['```ts\n' + code + '\n```']),
    `<span class="source">${file}</span>`,
  ]
}

/** Paragraphs, then the tags as a list. */
function docOf(doc: string): string[] {
  const [text = '', ...tags] = doc.split(/^(?=@\w)/m)
  // A doc comment may begin with its tags.
  const all = text.startsWith('@') ? [text, ...tags] : tags
  const prose = text.startsWith('@') ? '' : proseOf(text)
  return [...(prose === '' ? [] : [prose]), ...(all.length > 0 ? [all.map(tagOf).join('\n')] : [])]
}

function tagOf(tag: string): string {
  const [, kind = '', rest = ''] = /^@(\w+)\s*([\s\S]*)$/.exec(tag) ?? []
  const text = proseOf(rest.trim()).replaceAll('\n', ' ')
  if (kind === 'param') return `- ${text.replace(/^(\w+)(?:\s+-)?/, '`$1`:')}`
  const title = kind === 'returns' ? 'Returns' : kind === 'throws' ? 'Throws' : kind
  return `- _${title}_ ${text}`
}

/**
 * Escapes what a page would take for elements or expressions, outside of code. Links in comments start at the root
 * of the repository, and the pages are in docs/api.
 */
function proseOf(text: string): string {
  return text
    .replaceAll(/\{@link (\w+)\}/g, '`$1`')
    .replaceAll(/\]\((?![a-z]+:|#)/g, '](../../')
    .split(/(```[\s\S]*?```|`[^`]*`)/)
    .map((piece, n) => (n % 2 === 1 ? piece : piece.replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;')))
    .join('')
    .trim()
}
