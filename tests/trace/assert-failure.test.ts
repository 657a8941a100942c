// Failure texts: the records that cause a failure, what was missing, until when, and the causes.
import { expect, test } from 'vitest'
import {
  after,
  assertion,
  atMost,
  each,
  eventually,
  never,
  precedes,
  responds,
  checkTrace,
  describeAssertionFailure,
  type Formula,
} from '../../src/trace/index.ts'
import { story } from './assert-story.ts'

const trace = story(
  { actor: 'app', event: 'xstate.init', state: 'up' },
  { actor: 'app', event: { type: 'order', id: 7 }, state: 'up' },
  { actor: 'app/kitchen', event: 'xstate.init', state: 'cooking', same: true, by: 1 },
  { actor: 'app/kitchen/stove', event: 'xstate.init', same: true, by: 2 },
  { actor: 'app/kitchen', event: 'burnt', state: 'smoking', t: 3_000, context: { dish: 'soup' } },
  { actor: 'app', event: 'look', state: 'up', t: 65_000 },
)
const ordered = { event: 'order' }

const failureText = (formula: Formula, isClosed = false) => {
  const [result] = checkTrace(trace, [assertion('supper', formula)], { isClosed }).results
  return [...(result?.failures ?? []), ...(result?.waiting ?? [])].map(one =>
    describeAssertionFailure(one).split('\n'),
  )
}

test('a response that did not arrive in time', () => {
  expect(failureText(responds(ordered, { event: 'serve' }, { within: '60 s', by: 'event.id' }))).toEqual([
    [
      'supper: app (7): No response within 60 s: takes order.',
      '  trigger  #1  10 ms  app  order → up',
      '  found at #5  65 s  app  look → up',
      '  missing  takes serve (60 s, until 60 s)',
    ],
  ])
})

test('a response that is still pending when the trace ends', () => {
  expect(failureText(responds(ordered, { event: 'serve' }))).toEqual([
    [
      'supper: app: No response: takes order.',
      '  trigger  #1  10 ms  app  order → up',
      '  found at #5  65 s  app  look → up',
      '  missing  takes serve',
    ],
  ])
})

test('a forbidden step, with what led to it', () => {
  expect(failureText(never({ src: 'stove', parent: { state: 'cooking' } }))).toEqual([
    [
      'supper: app/kitchen/stove: Must never happen: stove has the parent (in cooking).',
      '  occurred #3  10 ms  app/kitchen/stove  xstate.init → active',
      '  because',
      '    #1  10 ms  app  order → up',
      '    #2  10 ms  app/kitchen  xstate.init → cooking',
      '    #3  10 ms  app/kitchen/stove  xstate.init → active',
    ],
  ])
})

test('concurrent, out-of-order and premature events', () => {
  expect(failureText(atMost(1, { life: { not: { root: true } } }))[0]).toEqual([
    'supper: app/kitchen/stove: 2 open at once, at most 1 allowed: not (the root).',
    '  open     #2  10 ms  app/kitchen  xstate.init → cooking',
    '  occurred #3  10 ms  app/kitchen/stove  xstate.init → active',
    '  because',
    '    #1  10 ms  app  order → up',
    '    #2  10 ms  app/kitchen  xstate.init → cooking',
    '    #3  10 ms  app/kitchen/stove  xstate.init → active',
  ])
  expect(failureText(after(ordered, never({ entered: 'smoking' })))[0]?.slice(0, 3)).toEqual([
    'supper: app/kitchen: Must never happen: enters smoking.',
    '  after    #1  10 ms  app  order → up',
    '  occurred #4  3 s  app/kitchen  burnt → smoking',
  ])
  expect(failureText(precedes({ event: 'taste' }, { event: 'burnt' }))).toEqual([
    [
      'supper: app/kitchen: Occurred before its required predecessor: takes taste.',
      '  occurred #4  3 s  app/kitchen  burnt → smoking',
      '  missing  takes taste',
    ],
  ])
})

test('custom texts, with custom subjects', () => {
  const burnt = never(
    { event: 'burnt' },
    { about: 'parent', says: 'The {context.dish} of {actor} is burnt ({context.salt}).' },
  )
  expect(failureText(burnt)[0]?.[0]).toBe('supper: app: The soup of app/kitchen is burnt (undefined).')
  const late = responds(
    ordered,
    { event: 'serve' },
    {
      within: '1 min',
      by: 'event.id',
      says: 'Order {key} waits for {waited}.',
    },
  )
  expect(failureText(late)[0]?.[0]).toBe('supper: app: Order 7 waits for 65 s.')
  const failure = each('src', eventually({ state: 'clean' }), {
    says: ({ key, actor }) => `${key}: ${actor.path}`,
  })
  expect(failureText(failure, true).map(([first]) => first)).toEqual([
    'supper: app: app: app',
    'supper: app/kitchen: kitchen: app/kitchen',
    'supper: app/kitchen/stove: stove: app/kitchen/stove',
  ])
})

test('the first failures are described in full, all are counted; a name without an actor is reported', () => {
  const { outcome, steps, isClosed, results } = checkTrace(
    trace,
    [
      assertion('quiet', never({}), 'Nothing happens.'),
      assertion('typo', never({ src: 'kitchn' })),
      assertion('served', eventually({ event: 'serve' })),
    ],
    { limit: 2 },
  )
  expect({ outcome, steps, isClosed }).toEqual({ outcome: 'fails', steps: 6, isClosed: false })
  expect(
    results.map(({ name, says, verdict, failures, failed, waiting, isMet }) => [
      name,
      says,
      verdict,
      failures.length,
      failed,
      waiting.length,
      isMet,
    ]),
  ).toEqual([
    ['quiet', 'Nothing happens.', 'fails', 2, 6, 0, true],
    ['typo', undefined, 'so far', 0, 0, 0, false],
    ['served', undefined, 'pending', 0, 0, 1, true],
  ])
})

test('the end of the root ends everything: what is required after it has failed', () => {
  const ended = story({ event: 'a' }, { event: 'stop', status: 'done' })
  const { isClosed, results } = checkTrace(ended, [assertion('b', eventually({ event: 'b' }))])
  expect([isClosed, results[0]?.verdict]).toEqual([true, 'fails'])
})

test('of a long chain of causes the latest are listed; an invalid cause ends it', () => {
  const chained = story(
    { event: 'first', by: 0 },
    ...Array.from({ length: 20 }, (_, by) => ({ event: 'next', by })),
    { event: 'last', by: 20 },
    { event: 'alone', by: 22 },
  )
  const chainOf = (event: string) =>
    checkTrace(chained, [assertion('it', never({ event }))]).results[0]?.failures[0]?.chain.map(
      ({ seq }) => seq,
    )
  expect(chainOf('last')).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21])
  expect(chainOf('first')).toEqual([0])
  expect(chainOf('alone')).toEqual([22])
})

test('the outcome of several is the worst of them', () => {
  const [held, owed, broken] = [never({ event: 'x' }), eventually({ event: 'x' }), never({})].map(
    (one, index) => assertion(`${index}`, one),
  )
  const outcomeOf = (...all: (typeof held)[]) =>
    checkTrace(
      trace,
      all.flatMap(one => one ?? []),
    ).outcome
  expect(outcomeOf(held)).toBe('holds')
  expect(outcomeOf(held, owed)).toBe('pending')
  expect(outcomeOf(owed, broken, held)).toBe('fails')
})
