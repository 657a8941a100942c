// The monitors against the definition: incremental results equal those over the whole trace.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  after,
  alternates,
  always,
  and,
  assertion,
  count,
  each,
  eventually,
  never,
  not,
  or,
  precedes,
  responds,
  checkTrace,
  type Formula,
} from '../../../src/trace/index.ts'
import type { Verdict } from '../../../src/trace/assert/monitor.ts'
import { story } from '../assert-story.ts'
import { assertProperty } from '../../harness/volume.ts'

interface Sign {
  readonly at: number
  readonly letter: string
  readonly key: number
}
type Word = readonly Sign[]
/** A formula and its definition: whether it is true for these steps, with time counted from `since`. */
type Defined = readonly [Formula, (word: Word, since: number) => boolean]

const is = (letter: string) => (sign: Sign) => sign.letter === letter
const on = (letter: string) => ({ event: letter })

/** Cuts out the steps after each `a` and before the next `b`. */
function scopes(word: Word, a: string, b: string): (readonly [Word, number])[] {
  const found: [Sign[], number][] = []
  let open: [Sign[], number] | undefined
  for (const sign of word) {
    if (open && sign.letter === b) open = undefined
    if (open) open[0].push(sign)
    else if (sign.letter === a) found.push((open = [[], sign.at]))
  }
  return found
}

function isInTurn(word: Word, a: string, b: string): boolean {
  const marks = word.filter(({ letter }) => letter === a || letter === b).map(({ letter }) => letter)
  return marks.every((letter, index) => letter === (index % 2 === 0 ? a : b))
}

const letter = fc.constantFrom('a', 'b', 'c')
const pair = fc.tuple(letter, letter).filter(([a, b]) => a !== b)
const steps = fc.nat(5)

const simple: fc.Arbitrary<Defined> = fc.oneof(
  letter.map((a): Defined => [always(on(a)), word => word.every(is(a))]),
  letter.map((a): Defined => [never(on(a)), word => !word.some(is(a))]),
  letter.map((a): Defined => [eventually(on(a)), word => word.some(is(a))]),
  fc
    .tuple(letter, steps)
    .map(([a, n]): Defined => [
      eventually(on(a), { within: { steps: n } }),
      (word, since) => word.some(sign => is(a)(sign) && sign.at <= since + n),
    ]),
  pair.map(([a, b]): Defined => [
    precedes(on(a), on(b)),
    word => word.every((sign, i) => !is(b)(sign) || word.slice(0, i).some(is(a))),
  ]),
  pair.map(([a, b]): Defined => [
    responds(on(a), on(b)),
    word => word.every((sign, i) => !is(a)(sign) || word.slice(i).some(is(b))),
  ]),
  fc
    .tuple(pair, steps)
    .map(([[a, b], n]): Defined => [
      responds(on(a), on(b), { within: { steps: n } }),
      word =>
        word.every(
          (sign, i) => !is(a)(sign) || word.slice(i).some(other => is(b)(other) && other.at <= sign.at + n),
        ),
    ]),
  fc.tuple(letter, fc.nat(3), fc.nat(3)).map(([a, least, more]): Defined => [
    count(on(a), { least, most: least + more }),
    word => {
      const n = word.filter(is(a)).length
      return n >= least && n <= least + more
    },
  ]),
  pair.map(([a, b]): Defined => [alternates({ from: on(a), to: on(b) }), word => isInTurn(word, a, b)]),
)

const { formula } = fc.letrec<{ formula: Defined }>(tie => ({
  formula: fc.oneof(
    { maxDepth: 3, depthSize: 'small', withCrossShrink: true },
    simple,
    fc
      .tuple(tie('formula'), tie('formula'))
      .map(([[f, holdsF], [g, holdsG]]): Defined => [and(f, g), (w, s) => holdsF(w, s) && holdsG(w, s)]),
    fc
      .tuple(tie('formula'), tie('formula'))
      .map(([[f, holdsF], [g, holdsG]]): Defined => [or(f, g), (w, s) => holdsF(w, s) || holdsG(w, s)]),
    tie('formula').map(([f, holds]): Defined => [not(f), (w, s) => !holds(w, s)]),
    fc
      .tuple(pair, tie('formula'))
      .map(([[a, b], [f, holds]]): Defined => [
        after(on(a), f, { until: on(b) }),
        word => scopes(word, a, b).every(([part, since]) => holds(part, since)),
      ]),
    tie('formula').map(([f, holds]): Defined => [
      each('event.key', f),
      word => [...Map.groupBy(word, ({ key }) => key).values()].every(part => holds(part, part[0]?.at ?? 0)),
    ]),
  ),
}))

const word = fc.array(fc.tuple(letter, fc.nat(1)), { minLength: 1, maxLength: 10 })

function verdictOf(formula: Formula, signs: readonly (readonly [string, number])[], isClosed: boolean) {
  const trace = story(...signs.map(([type, key]) => ({ event: { type, key } })))
  const report = checkTrace(trace, [assertion('it', formula)], { isClosed })
  return report.results[0]?.verdict
}

const WHEN_CLOSED: Readonly<Record<Verdict, Verdict>> = {
  holds: 'holds',
  'so far': 'holds',
  pending: 'fails',
  fails: 'fails',
}

test('over a finished trace each formula is true exactly when its definition is', () => {
  assertProperty(
    fc.property(formula, word, ([one, holds], signs) => {
      const defined = signs.map(([letter, key], at): Sign => ({ at, letter, key }))
      expect(verdictOf(one, signs, true)).toBe(holds(defined, 0) ? 'holds' : 'fails')
    }),
    { numRuns: 3_000 },
  )
})

test('a final verdict does not change; the others are what the end would make of them', () => {
  assertProperty(
    fc.property(formula, word, word, ([one], signs, more) => {
      const open = verdictOf(one, signs, false) ?? 'holds'
      expect(verdictOf(one, signs, true)).toBe(WHEN_CLOSED[open])
      const isForGood = open === 'holds' || open === 'fails'
      expect(isForGood ? verdictOf(one, [...signs, ...more], true) : open).toBe(open)
    }),
    { numRuns: 2_000 },
  )
})
