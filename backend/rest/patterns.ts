// Regular expressions in filters, measured before PostgreSQL compiles them: nothing can interrupt it here.
import { unmark } from './exact-numbers.ts'

/** Characters and classes, counted as often as they are repeated, and twice where there may be none or more. */
const LARGEST_SIZE = 300
/** PostgreSQL takes its automaton apart for each place that must be a beginning or an end. */
const MOST_ANCHORS = 24
/** Anchors times size: many in a small pattern, or few in a large one. */
const MOST_WORK = 1_000
/** Where a word begins or ends, it looks both ways. */
const WORD_ANCHOR = 3

/** The pieces of PostgreSQL's own ("advanced") regular expressions that count here. */
const PIECES = new RegExp(
  [
    String.raw`(?<comment>\(\?#[^)]*\))`,
    String.raw`(?<beyond>\(\?<?[=!]|\\[1-9])`,
    String.raw`(?<open>\((?:\?:)?)`,
    String.raw`(?<close>\))`,
    String.raw`(?<anchor>[\^$]|\\[AZ])`,
    String.raw`(?<word>\\[mMyY]|\[\[:[<>]:\]\])`,
    String.raw`(?<loose>[*+?]\??)`,
    String.raw`(?<repeat>\{(?<least>\d+)(?:,(?<most>\d*))?\}\??)`,
    String.raw`(?<or>\|)`,
    String.raw`\\.|\[\^?\]?(?:\\.|\[(?<kind>[.:=]).*?\k<kind>\]|[^\]\\])*\]|.`,
  ].join('|'),
  'gs',
)

interface Part {
  readonly size: number
  readonly anchors: number
}

const NOTHING: Part = { size: 0, anchors: 0 }

/** Thrown for a pattern that may not be run. */
class PatternError extends Error {
  override name = 'PatternError'
  /** PostgreSQL's own for what is no regular expression. */
  readonly code = '2201B'
  readonly detail: string
  readonly hint = 'PostgreSQL runs inside this process, where a slow pattern would hold up everyone.'
  constructor(pattern: string, reason: string) {
    super(`invalid regular expression: ${reason}`)
    this.detail = `The pattern is ${pattern}`
  }
}

/**
 * Looks at what a query of lite's compares with `~` and `~*`.
 * @throws PatternError
 */
export function refusePatterns(sql: string, parameters: readonly unknown[]): void {
  for (const [, number] of sql.matchAll(/ ~\*? (?:(?:any|all)\()?\$(\d+)/g)) {
    for (const pattern of [parameters[Number(number) - 1]].flat()) {
      const text = unmark(typeof pattern === 'string' ? pattern : JSON.stringify(pattern))
      const reason = refusePattern(text)
      if (reason !== undefined) throw new PatternError(text, reason)
    }
  }
}

/** Why a pattern may not be run, or nothing. */
function refusePattern(pattern: string): string | undefined {
  const [, options] = /^\(\?([a-z]+)\)/.exec(pattern) ?? []
  if (pattern.startsWith('***') || (options !== undefined && /[^cimnpstw]/.test(options)))
    return 'other kinds of regular expressions are not supported'
  const enclosing: Part[] = []
  let [whole, last] = [NOTHING, NOTHING]
  for (const { groups = {} } of pattern.slice(options ? options.length + 3 : 0).matchAll(PIECES)) {
    if (groups['beyond']) return 'look-around and back-references are not supported'
    if (groups['comment'] || groups['or']) continue
    if (groups['open']) {
      enclosing.push(add(whole, last))
      ;[whole, last] = [NOTHING, NOTHING]
    } else if (groups['close']) [whole, last] = [enclosing.pop() ?? NOTHING, add(whole, last)]
    else if (groups['loose']) last = repeat(last, 2)
    else if (groups['repeat']) last = repeat(last, timesOf(groups))
    else [whole, last] = [add(whole, last), pieceOf(groups)]
  }
  const { size, anchors } = [...enclosing, last].reduce(add, whole)
  if (size > LARGEST_SIZE) return 'the pattern is too large, with its repetitions written out'
  return anchors > MOST_ANCHORS || anchors * size > MOST_WORK ? 'the pattern has too many anchors' : undefined
}

type Groups = Readonly<Record<string, string | undefined>>

function pieceOf({ anchor, word }: Groups): Part {
  return { size: 1, anchors: (anchor ? 1 : 0) + (word ? WORD_ANCHOR : 0) }
}

function add(one: Part, other: Part): Part {
  return { size: one.size + other.size, anchors: one.anchors + other.anchors }
}

function timesOf({ least, most }: Groups): number {
  return most === '' ? 2 * Math.max(1, Number(least)) : Math.max(1, Number(most ?? least))
}

function repeat({ size, anchors }: Part, times: number): Part {
  return { size: size * times, anchors: anchors * times }
}
