// Patterns: which steps each of them matches.
import { describe, expect, test } from 'vitest'
import { assertion, never, checkTrace, type Pattern } from '../../../src/trace/index.ts'
import {
  statesTest,
  globTest,
  milliseconds,
  pathTest,
  timeInWords,
} from '../../../src/trace/assert/values.ts'
import { story } from '../assert-story.ts'

const trace = story(
  { event: 'xstate.init', state: 'calm', context: { n: 1, user: { id: 'ann' } } },
  { actor: 'app/lamp', event: 'xstate.init', state: 'dark', same: true },
  {
    actor: 'app/lamp',
    event: { type: 'switch.on', watt: 40 },
    state: { lit: 'dim' },
    from: 'app',
    via: ['dark#0'],
  },
  { actor: 'app/lamp', event: 'switch.on.again', state: { lit: 'bright' }, context: { hot: true } },
  { event: 'look', state: 'calm', context: { n: 2, user: { id: 'ann' } }, changed: false },
  { actor: 'app/lamp', event: 'switch', state: 'dark', status: 'done', output: { hours: 7 } },
  {
    actor: 'app/lamp#2',
    event: 'xstate.init',
    state: 'dark',
    status: 'error',
    error: { message: 'no fuse' },
  },
  { event: 'look', state: 'alarmed', context: { n: 3, seen: 3, user: { id: 'bob' } } },
)

/** The numbers of the steps that a pattern matches. */
function meant(pattern: Pattern): number[] {
  const report = checkTrace(trace, [assertion('none', never(pattern))], { limit: 100 })
  return report.results[0]?.failures.map(({ seq }) => seq) ?? []
}

test.each<readonly [string, Pattern, readonly number[]]>([
  ['everything', {}, [0, 1, 2, 3, 4, 5, 6, 7]],
  ['a path with any ordinal', { actor: 'app/lamp' }, [1, 2, 3, 5, 6]],
  ['a path with its ordinal', { actor: 'app/lamp#2' }, [6]],
  ['a glob over paths', { actor: ['*/lamp', 'nobody'] }, [1, 2, 3, 5, 6]],
  ['the name of the logic', { src: 'lamp', event: 'xstate.init' }, [1, 6]],
  ['the root', { root: true }, [0, 4, 7]],
  ['a type', { event: 'switch' }, [5]],
  ['a type and its subtypes', { event: 'switch.*' }, [2, 3, 5]],
  ['one of several types', { event: ['look', 'switch.on'] }, [2, 4, 7]],
  ['a part of the event', { with: { watt: { above: 39 } } }, [2]],
  ['the sender', { from: 'app' }, [2]],
  ['a state', { state: 'lit' }, [2, 3]],
  ['a state inside another', { state: 'lit.dim' }, [2]],
  ['a state at any depth', { state: '**.bright' }, [3]],
  ['entering', { entered: 'lit' }, [2]],
  ['leaving', { left: 'lit' }, [5]],
  ['the state before', { was: { state: 'lit' } }, [3, 5]],
  ['a part of the context', { context: { 'user.id': 'ann' } }, [0, 4]],
  ['several parts', { context: { n: { atLeast: 2, below: 3 }, 'user.id': { isNot: 'bob' } } }, [4]],
  ['another part of it', { context: { n: { is: { ref: 'context.seen' } } } }, [7]],
  ['the previous value', { context: { n: { above: { ref: 'was.context.n' } } } }, [4, 7]],
  ['one of', { context: { n: { oneOf: [1, 3] } } }, [0, 7]],
  ['none of', { root: true, context: { n: { noneOf: [1, 3] } } }, [4]],
  ['matching a glob', { context: { 'user.id': { like: 'a*' } } }, [0, 4]],
  ['present or missing', { src: 'app', context: { seen: { exists: false } } }, [0, 4]],
  ['status', { status: ['done', 'error'] }, [5, 6]],
  ['output', { output: { hours: 7 } }, [5]],
  ['error', { error: { message: { like: '*fuse' } } }, [6]],
  ['the first step', { first: true }, [0, 1, 6]],
  ['nothing changed', { changed: false }, [4]],
  ['a transition', { via: 'dark#*' }, [2]],
  ['the parent actor', { src: 'lamp', parent: { context: { n: 2 } } }, [5, 6]],
  ['how many children', { root: true, children: 1 }, [4]],
  ['some actor', { root: true, some: { src: 'lamp', state: 'lit' } }, [4]],
  ['all of', { all: [{ src: 'lamp' }, { state: 'dark' }, { first: true }] }, [1, 6]],
  ['any of', { any: [{ event: 'look' }, { status: 'done' }, { via: 'dark#0' }] }, [2, 4, 5, 7]],
  ['not', { src: 'lamp', not: { any: [{ state: 'lit' }, { first: true }] } }, [5]],
  ['between', { inside: { from: { event: 'switch.on' }, to: { event: 'switch' } } }, [2, 3, 4, 5]],
  ['while', { root: true, inside: { during: { src: 'lamp', state: 'lit' } } }, [4]],
  ['after an event', { root: true, happened: { step: { state: 'lit.bright' } } }, [4, 7]],
  [
    'after an event since',
    { happened: { step: { event: 'switch.on' }, during: { during: { state: 'lit.bright' } } } },
    [2],
  ],
  ['code', ({ event, t }) => event.type === 'look' && t > 50, [7]],
])('%s', (_what, pattern, seqs) => {
  expect(meant(pattern)).toEqual(seqs)
})

describe('names', () => {
  const value = { a: { b: 'c', d: 'e' }, f: 'g' }
  test.each([
    ['a', true],
    ['a.b.c', true],
    ['a.b.x', false],
    ['b', false],
    ['**.b.c', true],
    ['*.d', true],
    ['*.d.c', false],
    ['a.**.e', true],
    ['f.g.h', false],
    ['g', false],
  ])('state %s', (glob, isIn) => {
    expect(statesTest(glob)(value)).toBe(isIn)
  })

  test.each([
    ['client/*/post', 'client/refresh/post#2', true],
    ['client/*/post', 'client/a/b/post', false],
    ['client/**/post', 'client/post', true],
    ['client/**', 'client/a#3/b', true],
    ['client/a#3/b', 'client/a/b', false],
    ['a.b', 'axb', false],
  ])('path %s, %s', (glob, path, fits) => {
    expect(pathTest(glob)(path)).toBe(fits)
  })

  test('event types', () => {
    expect(['mouse', 'mouse.up', 'mouses'].map(globTest('mouse.*', '.'))).toEqual([true, true, false])
    expect(['a.x.c', 'a.c', 'a(c'].map(globTest('a*c', '.'))).toEqual([true, true, true])
  })
})

test('durations, parsed and formatted', () => {
  expect(['250 ms', '1.5s', '2 min', '1 h', '3 days', '-1 s', ''].map(milliseconds)).toEqual([
    250,
    1500,
    120_000,
    3_600_000,
    undefined,
    undefined,
    undefined,
  ])
  expect([0, 250, 1_500, 64_400].map(timeInWords)).toEqual(['0 ms', '250 ms', '1.5 s', '64 s'])
})
