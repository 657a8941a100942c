// Formats what accounts reach: as phrases, as a matrix in Markdown or CSV, and findings as text.
import type { Finding } from './compare.ts'
import { KINDS } from './snapshot.ts'
import type { Cell, Proof, Reach, ResourceKind, Review } from './types.ts'

/** A cell of a review or of a snapshot. */
interface Described {
  readonly reach: Reach
  readonly rows?: Readonly<Record<string, number>> | undefined
  readonly hidden?: readonly string[] | undefined
  readonly columns?: readonly string[] | undefined
  readonly givesTo?: readonly string[] | undefined
  readonly code?: string | undefined
}

const WORDS: Readonly<Record<Reach, string>> = {
  refused: 'refused',
  none: 'none',
  own: 'own',
  some: 'some',
  all: 'all',
  runs: 'runs',
  failed: 'failed',
  untried: 'not tried',
}

const NOUNS: Readonly<Record<ResourceKind, string>> = {
  table: 'rows',
  bucket: 'files',
  function: 'rows',
  'edge function': 'rows',
}

/** `own`, `all, without email`, `failed (22P02)`: short enough for a cell of the matrix. */
export function cellText({ reach, hidden, columns, givesTo, code }: Described): string {
  return [
    reach === 'failed' && code !== undefined ? `failed (${code})` : WORDS[reach],
    ...(hidden ? [`without ${hidden.join(', ')}`] : []),
    ...(columns ? [`only ${columns.join(', ')}`] : []),
    ...(givesTo ? [`gives to ${givesTo.join(', ')}`] : []),
  ].join('; ')
}

/** The same as a phrase with counts: `all rows (alice 2, bob 1)`. */
export function describeCell(cell: Described | undefined, kind: ResourceKind): string {
  if (cell === undefined) return 'not there'
  const { reach, rows = {}, hidden, columns, givesTo, code } = cell
  const noun = NOUNS[kind]
  const counts = Object.entries(rows).map(([owner, count]) => `${owner} ${count}`)
  const what: Readonly<Record<Reach, string>> = {
    refused: 'refused, no grant',
    none: `no ${noun}`,
    own: `own ${noun} only`,
    some: `some ${noun}`,
    all: `all ${noun}`,
    runs: 'runs',
    failed: `failed${code === undefined ? '' : ` with ${code}`}`,
    untried: 'not tried',
  }
  return [
    `${what[reach]}${counts.length > 0 && reach !== 'none' ? ` (${counts.join(', ')})` : ''}`,
    ...(hidden ? [`columns hidden: ${hidden.join(', ')}`] : []),
    ...(columns ? [`only columns ${columns.join(', ')}`] : []),
    ...(givesTo ? [`may give ${noun} to ${givesTo.join(', ')}`] : []),
  ].join('; ')
}

interface MatrixLine {
  readonly kind: ResourceKind
  readonly name: string
  readonly operation: string
  readonly cells: readonly Cell[]
}

/** One line per resource and operation, sorted by kind and name. */
const matrixLines = ({ resources }: Review): readonly MatrixLine[] =>
  KINDS.flatMap(kind =>
    resources
      .filter(each => each.kind === kind)
      .flatMap(({ name, cells }) =>
        Object.entries(cells).map(([operation, list]) => ({ kind, name, operation, cells: list })),
      ),
  )

const escaped = (text: string) => text.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ')

export const READS_ONLY = 'Reads only: this backend does not roll back writes, so none was tried.'

export function markdownOf(review: Review): string {
  const lines = matrixLines(review)
  const head = ['Resource', 'Operation', ...review.accounts]
  const rows = lines.map(({ kind, name, operation, cells }) => [
    kind === 'table' ? name : `${name} (${kind})`,
    operation,
    ...cells.map(cellText),
  ])
  const table = [head, head.map(() => '---'), ...rows].map(row => `| ${row.map(escaped).join(' | ')} |`)
  return `# Access\n\n${review.writes ? '' : `${READS_ONLY}\n\n`}${table.join('\n')}\n`
}

/** A field of CSV; one that a spreadsheet would run as a formula is quoted as text. */
function field(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export function csvOf(review: Review): string {
  const head = ['kind', 'name', 'operation', 'account', 'access', 'rows', 'details']
  const rows = matrixLines(review).flatMap(({ kind, name, operation, cells }) =>
    cells.map((cell, at) => [
      kind,
      name,
      operation,
      review.accounts[at] ?? '',
      cell.reach,
      String(Object.values(cell.rows).reduce((sum, count) => sum + count, 0)),
      describeCell(cell, kind),
    ]),
  )
  return [head, ...rows].map(row => `${row.map(field).join(',')}\r\n`).join('')
}

/** Columns aligned for a terminal. */
export function matrixText(review: Review): string {
  const rows = [
    ['', '', ...review.accounts],
    ...matrixLines(review).map(({ name, operation, cells }) => [name, operation, ...cells.map(cellText)]),
  ]
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map(row => row[at]?.length ?? 0)))
  const lines = rows.map((row, line) =>
    row
      .map((text, at) => (at === 0 && text === rows[line - 1]?.[0] ? '' : text).padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return `${lines.join('\n')}\n`
}

const proofText = ({ key, owner, row }: Proof, showsRows: boolean): string =>
  `${key} (${owner})${showsRows && row ? ` ${JSON.stringify(row).slice(0, 200)}` : ''}`

/** Proof that is printed; the rest is counted. */
const PRINTED = 5

/** A finding as lines, the first of which names resource, account and operation. */
export function findingText(finding: Finding, showsRows: boolean): string {
  const { kind, name, account, operation, before, after, change, proof, causes } = finding
  const title = kind === 'table' ? name : `${kind} ${name}`
  const rows = proof.slice(0, PRINTED).map(each => proofText(each, showsRows))
  const rest = proof.length > PRINTED ? `, and ${proof.length - PRINTED} more` : ''
  return [
    `${change.toUpperCase()} ${title}: ${operation} as ${account}`,
    `  before: ${describeCell(before, kind)}`,
    `  now:    ${describeCell(after, kind)}`,
    ...(rows.length > 0 ? [`  proof:  ${rows.join(', ')}${rest}`] : []),
    ...causes.map(cause => `  cause?  ${cause}`),
  ].join('\n')
}
