// Formulas: their verdict on a finished trace and on one that may continue, and which steps fail them.
import { describe, expect, test } from 'vitest'
import {
  after,
  alternates,
  always,
  and,
  assertion,
  atMost,
  atRest,
  calms,
  closes,
  count,
  each,
  eventually,
  never,
  not,
  or,
  precedes,
  responds,
  watch,
  type Formula,
} from '../../../src/trace/index.ts'
import { checkTrace, type CheckedTrace } from '../../../src/trace/assert/check.ts'
import { letters, story } from '../assert-story.ts'

const [a, b, c] = [{ event: 'a' }, { event: 'b' }, { event: 'c' }]

/**
 * The verdict while the trace may continue, the one when it is over, and the steps that failed it by then.
 */
function standing(trace: CheckedTrace, formula: Formula) {
  const [open, over] = [false, true].map(isClosed => {
    const [result] = checkTrace(trace, [assertion('it', formula)], { isClosed }).results
    return result
  })
  return [open?.verdict, over?.verdict, over?.failures.map(({ seq }) => seq)]
}

test.each<readonly [string, Formula, readonly unknown[]]>([
  ['aaa', always(a), ['so far', 'holds', []]],
  ['aba', always(a), ['fails', 'fails', [1]]],
  ['abcb', always({ not: c }, { where: { any: [b, c] } }), ['fails', 'fails', [2]]],
  ['abab', never(b), ['fails', 'fails', [1, 3]]],
  ['aaa', eventually(b), ['pending', 'fails', [2]]],
  ['aab', eventually(b), ['holds', 'holds', []]],
  ['aaab', eventually(b, { within: { steps: 2 } }), ['fails', 'fails', [3]]],
  ['aab', eventually(b, { within: 20 }), ['holds', 'holds', []]],
  ['aab', eventually(b, { within: 19 }), ['fails', 'fails', [2]]],
  ['cab', precedes(a, b), ['holds', 'holds', []]],
  ['bab', precedes(a, b), ['fails', 'fails', [0]]],
  ['ccc', precedes(a, b), ['so far', 'holds', []]],
  ['cacb', responds(a, b), ['so far', 'holds', []]],
  ['baca', responds(a, b), ['pending', 'fails', [3]]],
  ['acccb', responds(a, b, { within: { steps: 3 } }), ['fails', 'fails', [4]]],
  ['acccb', responds(a, b, { within: '40 ms' }), ['so far', 'holds', []]],
  ['acc', responds(a, b, { unless: c }), ['so far', 'holds', []]],
  ['a', responds(a, a), ['so far', 'holds', []]],
  ['bacb', after(a, never(b)), ['fails', 'fails', [3]]],
  ['bacb', after(a, never(b), { until: c }), ['so far', 'holds', []]],
  ['aca', after(a, eventually(b), { until: c }), ['fails', 'fails', [1, 2]]],
  ['acab', after(a, never(b), { until: c }), ['fails', 'fails', [3]]],
  ['aabb', atMost(1, { from: a, to: b }), ['so far', 'holds', []]],
  ['acbc', count(c, { most: 1 }), ['fails', 'fails', [3]]],
  ['acbc', count(c, { least: 2, most: 2 }), ['so far', 'holds', []]],
  ['acb', count(c, { least: 2 }), ['pending', 'fails', [2]]],
  ['acc', count(c, { least: 2 }), ['holds', 'holds', []]],
  ['acb', closes({ from: a, to: b }), ['so far', 'holds', []]],
  ['bac', closes({ from: a, to: b }), ['pending', 'fails', [2]]],
  ['abab', alternates({ from: a, to: b }), ['so far', 'holds', []]],
  ['aabb', alternates({ from: a, to: b }), ['fails', 'fails', [1, 3]]],
  ['ab', and(eventually(b), never(c)), ['so far', 'holds', []]],
  ['ac', and(eventually(b), never(c)), ['fails', 'fails', [1, 1]]],
  ['ac', or(eventually(b), never(c)), ['pending', 'fails', [1]]],
  ['aa', or(eventually(b), never(c)), ['so far', 'holds', []]],
  ['aa', not(eventually(b)), ['so far', 'holds', []]],
  ['ab', not(eventually(b)), ['fails', 'fails', [1]]],
  ['aa', not(never(b)), ['pending', 'fails', [1]]],
  ['ab', not(never(b)), ['holds', 'holds', []]],
  ['', eventually(b), ['pending', 'fails', []]],
])('%s: %j', (text, formula, expected) => {
  expect(standing(letters(text), formula)).toEqual(expected)
})

const asked = (id: number) => ({ event: { type: 'ask', id } })
const eventOf = (id: number) => ({ event: { type: 'tell', for: id } })
const [ask, tell] = [{ event: 'ask' }, { event: 'tell' }]
const by = ['event.id', 'event.for'] as const

describe('by key', () => {
  const trace = story(asked(1), asked(2), eventOf(2), eventOf(3), asked(1), eventOf(1))

  test.each<readonly [string, Formula, readonly unknown[]]>([
    ['each is answered', responds(ask, tell, { by }), ['so far', 'holds', []]],
    ['each in time', responds(ask, tell, { by, within: 40 }), ['fails', 'fails', [5]]],
    ['the first request', precedes(ask, tell, { by }), ['fails', 'fails', [3]]],
    ['in turn', alternates({ from: ask, to: tell, by }), ['fails', 'fails', [3, 4]]],
    ['one at a time', atMost(1, { from: ask, to: tell, by }), ['fails', 'fails', [1]]],
    ['each separately', each('event.id', count(ask, { most: 1 })), ['fails', 'fails', [4]]],
  ])('%s', (_what, formula, expected) => {
    expect(standing(trace, formula)).toEqual(expected)
  })
})

describe('by actor', () => {
  const trace = story(
    { actor: 'app', state: 'up' },
    { actor: 'app/job', state: 'busy' },
    { actor: 'app/job#2', state: 'busy' },
    { actor: 'app/job', state: 'resting', status: 'done' },
    { actor: 'app/job#3', state: 'busy' },
    { actor: 'app/job#2', state: 'busy', status: 'stopped' },
  )
  const job = { src: 'job' }

  test.each<readonly [string, Formula, readonly unknown[]]>([
    ['lives', atMost(1, { life: job }), ['fails', 'fails', [2, 4]]],
    ['lives', atMost(2, { life: job }), ['so far', 'holds', []]],
    ['states', atMost(1, { during: { state: 'busy' } }), ['fails', 'fails', [2, 4]]],
    [
      'what is required of an actor must come before it ends',
      each('actor', eventually({ state: 'resting' }), { of: job }),
      ['fails', 'fails', [5, 5]],
    ],
    ['each parent', each('parent', atMost(1, { life: job })), ['fails', 'fails', [2, 4]]],
  ])('%s', (_what, formula, expected) => {
    expect(standing(trace, formula)).toEqual(expected)
  })
})

test('at rest: a later step of the same stimulus may correct an earlier one', () => {
  const trace = story(
    { actor: 'app/door', state: 'open' },
    { actor: 'app/door', state: 'shut', same: true },
    { actor: 'app/door', state: 'open' },
    { actor: 'app', event: 'later' },
  )
  const shut = atRest({ src: 'door', entered: 'open' }, { state: 'shut' })
  expect(standing(trace, shut)).toEqual(['fails', 'fails', [2]])
})

test('calm within a time, counted from the last stir, and not while paused', () => {
  const at = (t: number, event: string, state: string) => ({ t, event, state })
  const restless = { during: { state: 'restless' } }
  const rests = calms(restless, 100, {
    stirredBy: { event: 'stir' },
    pausedWhile: { from: { event: 'freeze' }, to: { event: 'thaw' } },
  })
  const [begun, stir] = [at(0, 'go', 'restless'), at(90, 'stir', 'restless')]
  expect(standing(story(begun, at(101, 'look', 'restless')), rests)).toEqual(['fails', 'fails', [1]])
  expect(standing(story(begun, stir, at(190, 'look', 'restless')), rests)[2]).toEqual([])
  expect(standing(story(begun, stir, at(191, 'look', 'restless')), rests)[2]).toEqual([2])
  expect(standing(story(begun, at(90, 'look', 'calm'), at(300, 'look', 'calm')), rests)[2]).toEqual([])
  const frozen = [at(50, 'freeze', 'restless'), at(500, 'look', 'restless'), at(600, 'thaw', 'restless')]
  expect(standing(story(begun, ...frozen, at(690, 'look', 'restless')), rests)[2]).toEqual([])
  expect(standing(story(begun, ...frozen, at(701, 'look', 'restless')), rests)[2]).toEqual([4])
  expect(standing(story(begun), not(rests))).toEqual(['pending', 'fails', [0]])
})

test('time awake: a gap without any step counts as a minute at most', () => {
  const trace = story({ event: 'a', t: 0 }, { event: 'c', t: 3_600_000 }, { event: 'c', t: 3_600_500 })
  expect(standing(trace, responds(a, b, { within: { awake: '60.2 s' } }))[2]).toEqual([2])
  expect(standing(trace, responds(a, b, { within: { awake: '61 s' } }))[0]).toBe('pending')
  expect(standing(trace, responds(a, b, { within: ({ t }) => t + 3_600_400 }))[2]).toEqual([2])
})

test('a custom monitor reports with its arguments, at once or at rest', () => {
  const rising = watch(
    ({ report, atRest: later }) => {
      let last = 0
      return step => {
        const n = Number(step.event['n'])
        if (n < last) report(step.actor, `${n} after ${last}`)
        last = n
        if (n === 9) later(() => report(step.actor, 'nine'))
      }
    },
    { of: { event: 'n' } },
  )
  const n = (value: number) => ({ event: { type: 'n', n: value } })
  const trace = story(n(1), n(9), { event: 'x', same: true }, n(4))
  const [result] = checkTrace(trace, [assertion('rising', rising)]).results
  expect(result?.failures.map(({ seq, why }) => [seq, why])).toEqual([
    [2, 'nine'],
    [3, '4 after 9'],
  ])
})
