// Finds what can be changed in a source file so that a test should notice: an operator, a guard, a delay, a string
// or a missing line.
import { parseSync } from 'oxc-parser'
import { walk } from 'oxc-walker'

export const KINDS = ['operator', 'guard', 'delay', 'string', 'line'] as const
export type Kind = (typeof KINDS)[number]

/** Replaces the characters from `start` to `end` of a file. */
export interface Mutant {
  /** Path below the project's folder. */
  readonly file: string
  readonly kind: Kind
  readonly start: number
  readonly end: number
  readonly before: string
  readonly after: string
  /** Whether a statement begins with it: without semicolons, a parenthesis there would continue the line before. */
  readonly isFirst: boolean
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly operator?: string
  readonly left?: Node
  readonly right?: Node
  readonly test?: Node
  readonly key?: Node & { readonly name?: string }
  readonly value?: unknown
  readonly expression?: Node
  readonly directive?: string
  readonly body?: unknown
  readonly name?: unknown
}

const OPERATORS: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
}
/** In milliseconds or in items; smaller numbers are mostly indexes. */
const SMALLEST_DELAY = 50

/** Every possible change of a file, in the order of the source. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const found: Mutant[] = []
  const statements = new Set<number>()
  const add = (kind: Kind, node: Node, expression: string) => {
    const { start, end } = node
    const isFirst = statements.has(start)
    const after = kind === 'line' ? ';' : `${isFirst ? '0, ' : ''}(${expression})`
    found.push({ file, kind, start, end, before: source.slice(start, end), after, isFirst })
  }
  const text = (node: Node) => source.slice(node.start, node.end)
  walk(parseSync(file, source).program, {
    enter(each, parentNode) {
      const node = each as unknown as Node
      const parent = parentNode as unknown as Node | null
      if (isLeftOut(node)) return this.skip()
      const swapped = OPERATORS[node.operator ?? '']
      if (swapped !== undefined && node.left && node.right)
        add('operator', node, `(${text(node.left)}) ${swapped} (${text(node.right)})`)
      if (node.test && ['IfStatement', 'ConditionalExpression'].includes(node.type))
        add('guard', node.test, `!(${text(node.test)})`)
      if (node.type === 'Property' && node.key?.name === 'guard') addGuard(node.value as Node)
      if (node.type === 'ExpressionStatement' && node.directive === undefined) {
        statements.add(node.start)
        add('line', node, '')
      }
      if (node.type === 'Literal' && parent && !isName(node, parent)) addLiteral(node)
      return undefined
    },
  })
  return found

  function addGuard(guard: Node): void {
    const body = guard.body as Node | undefined
    if (guard.type === 'ArrowFunctionExpression' && body && body.type !== 'BlockStatement')
      add('guard', body, `!(${text(body)})`)
  }

  function addLiteral(node: Node): void {
    const { value } = node
    if (typeof value === 'number' && value >= SMALLEST_DELAY) add('delay', node, `${text(node)} * 2`)
    if (typeof value === 'string' && value !== '') add('string', node, JSON.stringify(`${value}~`))
  }
}

/** Types and imports have no behavior. */
const isLeftOut = ({ type }: Node) =>
  (type.startsWith('TS') &&
    !['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'].includes(type)) ||
  type === 'ImportDeclaration' ||
  type === 'ExportAllDeclaration' ||
  type === 'ImportExpression'

const isName = (node: Node, parent: Node) =>
  parent.key === node ||
  parent.directive !== undefined ||
  parent.type === 'JSXAttribute' ||
  parent.type.startsWith('Export') ||
  parent.type === 'ImportAttribute'

/** As many as `count`, by a seed: as many of each group, and within it of each kind, as there are. */
export function draw(groups: readonly (readonly Mutant[])[], count: number, seed: number): Mutant[] {
  const random = generator(seed)
  const drawn = new Set<Mutant>()
  const pools = groups.map(group =>
    KINDS.map(kind => group.filter(one => one.kind === kind)).filter(pool => pool.length > 0),
  )
  const most = groups.reduce((sum, { length }) => sum + length, 0)
  for (let turn = 0; drawn.size < Math.min(count, most); turn++) {
    const pool = pools[turn % pools.length] ?? []
    const kind = pool[Math.floor(random() * pool.length)] ?? []
    const mutant = kind[Math.floor(random() * kind.length)]
    if (mutant) drawn.add(mutant)
  }
  return [...drawn]
}

/** Mulberry32: numbers from 0 to below 1. */
function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
