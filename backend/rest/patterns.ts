// Limits the cost of regular expressions in filters before PostgreSQL compiles them, because a query cannot
// be interrupted here.
import { parse as parseArray } from 'postgres-array'
import { likeProblem } from '../shared/like-patterns.ts'

const MOST_CHARACTERS = 1_000
/** Characters and classes, multiplied by their repetitions, and doubled for unbounded repetitions. */
const LARGEST_SIZE = 300
/** PostgreSQL splits its automaton at every anchor. */
const MOST_ANCHORS = 24
/** Anchors times size: many in a small pattern, or few in a large one. */
const MOST_WORK = 1_000
/** Word boundaries count more, since they look in both directions. */
const WORD_ANCHOR = 3
/** Characters of a pattern that error messages repeat. */
const MOST_SHOWN = 400

interface Part {
  readonly size: number
  readonly anchors: number
}

const NOTHING: Part = { size: 0, anchors: 0 }

/** Thrown for a pattern that may not be run. */
class PatternError extends Error {
  override name = 'PatternError'
  /** PostgreSQL's code for an invalid regular expression, or for an invalid `like` escape sequence. */
  readonly code: string
  readonly severity = 'ERROR'
  readonly detail: string
  readonly hint = 'PostgreSQL runs inside this process, where a slow pattern would block all requests.'
  constructor(kind: 'regular expression' | 'like pattern', pattern: string, reason: string) {
    super(`invalid ${kind}: ${reason}`)
    this.code = kind === 'like pattern' ? '22025' : '2201B'
    const excerpt = pattern.length > MOST_SHOWN ? `${pattern.slice(0, MOST_SHOWN)}…` : pattern
    this.detail = `The pattern is ${excerpt}`
  }
}

/**
 * Checks the patterns that a statement compares with `~`, `~*`, `like` and `ilike`; the limits apply to
 * all patterns together.
 * @throws PatternError
 */
export function refusePatterns(sql: string, parameters: readonly unknown[]): void {
  const likes: string[] = []
  let total: Cost = NO_COST
  for (const [, operator, of, number] of sql.matchAll(/ (~\*?|i?like) ((?:any|all)\()?\$(\d+)/g)) {
    const sent = parameters[Number(number) - 1]
    for (const parameter of of !== undefined && typeof sent === 'string' ? elementsOf(sent) : [sent].flat()) {
      const pattern = typeof parameter === 'string' ? parameter : JSON.stringify(parameter)
      if (operator?.endsWith('like')) likes.push(pattern)
      else {
        const cost = costOf(pattern)
        if (typeof cost === 'string') throw new PatternError('regular expression', pattern, cost)
        total = {
          size: total.size + cost.size,
          anchors: total.anchors + cost.anchors,
          work: total.work + cost.work,
        }
        const reason = costProblem(total)
        if (reason !== undefined) throw new PatternError('regular expression', pattern, reason)
      }
    }
  }
  const reason = likeProblem(likes)
  if (reason !== undefined) throw new PatternError('like pattern', likes.join(', '), reason)
}

/** The patterns of an array in text format; PostgreSQL refuses what is none. */
function elementsOf(array: string): readonly string[] {
  try {
    return parseArray(array, text => text)
  } catch {
    return [array]
  }
}

interface Cost extends Part {
  readonly work: number
}

const NO_COST: Cost = { ...NOTHING, work: 0 }

function costProblem({ size, anchors, work }: Cost): string | undefined {
  if (size > LARGEST_SIZE) return 'the pattern is too large when its repetitions are expanded'
  return anchors > MOST_ANCHORS || work > MOST_WORK ? 'the pattern has too many anchors' : undefined
}

/** The cost of a pattern, or why it may not be run. */
function costOf(pattern: string): Cost | string {
  if (pattern.length > MOST_CHARACTERS) return `the pattern is longer than ${MOST_CHARACTERS} characters`
  const [, options] = /^\(\?([a-z]+)\)/.exec(pattern) ?? []
  if (pattern.startsWith('***') || (options !== undefined && /[^cimnpstw]/.test(options)))
    return 'other kinds of regular expressions are not supported'
  const enclosing: Part[] = []
  let [total, last] = [NOTHING, NOTHING]
  for (let at = options ? options.length + 3 : 0; at < pattern.length;) {
    const piece = pieceAt(pattern, at)
    if (piece === undefined) return 'brackets or parentheses () not balanced'
    at = piece.end
    switch (piece.kind) {
      case 'beyond':
        return 'lookaround and backreferences are not supported'
      case 'nothing':
        break
      case 'open':
        enclosing.push(add(total, last))
        ;[total, last] = [NOTHING, NOTHING]
        break
      case 'close':
        ;[total, last] = [enclosing.pop() ?? NOTHING, add(total, last)]
        break
      case 'repeat':
        last = repeat(last, piece.times)
        break
      case 'atom':
        ;[total, last] = [add(total, last), { size: 1, anchors: piece.anchors }]
    }
  }
  const { size, anchors } = [...enclosing, last].reduce(add, total)
  return { size, anchors, work: size * anchors }
}

/** An element of PostgreSQL's "advanced" regular expressions, and the index after it. */
type Piece = { readonly end: number } & (
  | { readonly kind: 'beyond' | 'nothing' | 'open' | 'close' }
  | { readonly kind: 'repeat'; readonly times: number }
  | { readonly kind: 'atom'; readonly anchors: number }
)

const BOUNDS = /\{(\d+)(?:,(\d*))?\}/y

/** Undefined for an unclosed class or comment. */
function pieceAt(pattern: string, at: number): Piece | undefined {
  const [first, second = ''] = [pattern[at], pattern[at + 1]]
  const atom = (length: number, anchors = 0): Piece => ({ kind: 'atom', anchors, end: at + length })
  const afterLazy = (end: number) => (pattern[end] === '?' ? end + 1 : end)
  switch (first) {
    case '\\':
      if (/[1-9]/.test(second)) return { kind: 'beyond', end: at + 2 }
      return atom(2, /[AZ]/.test(second) ? 1 : /[mMyY]/.test(second) ? WORD_ANCHOR : 0)
    case '^':
    case '$':
      return atom(1, 1)
    case '|':
      return { kind: 'nothing', end: at + 1 }
    case ')':
      return { kind: 'close', end: at + 1 }
    case '(':
      return groupAt(pattern, at)
    case '*':
    case '+':
    case '?':
      return { kind: 'repeat', times: 2, end: afterLazy(at + 1) }
    case '{': {
      BOUNDS.lastIndex = at
      const [all, minText = '', maxText] = BOUNDS.exec(pattern) ?? []
      return all === undefined
        ? atom(1)
        : { kind: 'repeat', times: timesOf(minText, maxText), end: afterLazy(at + all.length) }
    }
    case '[': {
      const isWordAnchor = pattern.startsWith('[[:<:]]', at) || pattern.startsWith('[[:>:]]', at)
      if (isWordAnchor) return atom(7, WORD_ANCHOR)
      const end = classEnd(pattern, at)
      return end === undefined ? undefined : atom(end - at)
    }
    default:
      return atom(1)
  }
}

function groupAt(pattern: string, at: number): Piece | undefined {
  if (/^\(\?<?[=!]/.test(pattern.slice(at, at + 4))) return { kind: 'beyond', end: at + 1 }
  if (!pattern.startsWith('(?#', at))
    return { kind: 'open', end: at + (pattern.startsWith('(?:', at) ? 3 : 1) }
  const end = pattern.indexOf(')', at)
  return end < 0 ? undefined : { kind: 'nothing', end: end + 1 }
}

/** The index after a class. */
function classEnd(pattern: string, start: number): number | undefined {
  let at = start + 1
  if (pattern[at] === '^') at += 1
  if (pattern[at] === ']') at += 1
  while (at < pattern.length) {
    const [first, second = ''] = [pattern[at], pattern[at + 1]]
    if (first === ']') return at + 1
    if (first === '[' && /[.:=]/.test(second)) {
      const end = pattern.indexOf(`${second}]`, at + 2)
      if (end < 0) return undefined
      at = end + 2
    } else at += first === '\\' ? 2 : 1
  }
  return undefined
}

function add(one: Part, b: Part): Part {
  return { size: one.size + b.size, anchors: one.anchors + b.anchors }
}

function timesOf(minText: string, maxText: string | undefined): number {
  const times = maxText === '' ? 2 * Math.max(1, Number(minText)) : Math.max(1, Number(maxText ?? minText))
  return Math.min(times, LARGEST_SIZE + 1)
}

function repeat({ size, anchors }: Part, times: number): Part {
  return { size: size * times, anchors: anchors * times }
}
