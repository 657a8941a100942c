// How the console writes states, values, differences and numbers.
import { describe, expect, it, vi } from 'vitest'
import { ActorReference } from '../../src/trace/values.ts'
import { describe as describeValue, entriesOf, quoted } from '../../src/ui/console/json-nodes.ts'
import { recordDiff } from '../../src/ui/console/record-diff.ts'
import { activePaths, leafPaths, stateLabel } from '../../src/trace/timeline/state-value.ts'
import { stateChange } from '../../src/ui/console/state-change.ts'
import { storedSizes, storeSizes } from '../../src/ui/console/stored-layout.ts'
import { byteSize, clockTime, elapsedTime } from '../../src/ui/console/text.ts'
import { meaningOf } from '../../src/ui/console/tone.ts'
import { viewRecords } from './console-trace.ts'

const nested = { in: { token: 'fresh', user: { known: 'idle' } } }

describe('state values', () => {
  it('are paths from outside in', () => {
    expect(activePaths(nested)).toEqual([
      'in',
      'in.token',
      'in.token.fresh',
      'in.user',
      'in.user.known',
      'in.user.known.idle',
    ])
    expect(leafPaths(nested)).toEqual(['in.token.fresh', 'in.user.known.idle'])
    expect([activePaths({}), activePaths(undefined), leafPaths('a')]).toEqual([[], [], ['a']])
  })

  it('are labels on one line', () => {
    expect([
      stateLabel(nested),
      stateLabel('out'),
      stateLabel({ a: { b: 'c' } }),
      stateLabel(undefined),
    ]).toEqual(['in(token.fresh, user.known.idle)', 'out', 'a.b.c', ''])
  })

  it.each([
    [undefined, 'a', { from: '', to: 'a' }],
    ['a', 'a', { from: '', to: 'a' }],
    ['a', 'b', { from: 'a', to: 'b' }],
    [
      { in: { token: 'due', user: 'x' } },
      { in: { token: 'new', user: 'x' } },
      { from: 'in.token.due', to: 'new' },
    ],
    ['out', { in: { t: 'a', u: 'b' } }, { from: 'out', to: 'in(t.a, u.b)' }],
  ])('change from %j to %j', (before, after, change) => {
    expect(stateChange(before, after)).toEqual(change)
  })

  it.each([
    ['open', 'active', { tone: 'ok', path: 'open' }],
    [
      { in: { token: 'refreshing', aal: 'aal1' } },
      'active',
      { tone: 'pending', path: 'in.token.refreshing' },
    ],
    [{ awake: { standing: 'leader' } }, 'active', { tone: 'ok', path: 'awake.standing.leader' }],
    ['following', 'active', { tone: 'neutral', path: 'following' }],
    ['denied', 'active', { tone: 'fail', path: 'denied' }],
    ['open', 'error', { tone: 'fail' }],
    ['open', 'done', { tone: 'neutral' }],
  ] as const)('%j while %s means %j', (value, status, meaning) => {
    const [view] = viewRecords([{ actor: 0, type: 'x', value, status }])
    expect(view && meaningOf(view)).toEqual(meaning)
  })
})

describe('values', () => {
  it.each([
    ['a', { kind: 'text', preview: '"a"', size: 0 }],
    [7, { kind: 'number', preview: '7', size: 0 }],
    [null, { kind: 'word', preview: 'null', size: 0 }],
    [[1, 2], { kind: 'list', preview: '2 items', size: 2 }],
    [
      { a: 1, b: 2, c: 3, d: 4, e: 5 },
      { kind: 'record', preview: '{a, b, c, d, +1}', size: 5 },
    ],
    [new RangeError('no'), { kind: 'word', preview: 'RangeError: no', size: 0 }],
    [new Map([['a', 1]]), { kind: 'record', preview: 'Map of 1', size: 1 }],
    [new ActorReference('client/x'), { kind: 'word', preview: 'actor client/x', size: 0 }],
  ])('%j is described in one line', (value, node) => {
    expect(describeValue(value)).toEqual(node)
  })

  it('are cut with the number of what is left out', () => {
    expect(quoted('x'.repeat(20), 5)).toBe('"xxxxx" +15 characters')
    expect(entriesOf(['a', 'b', 'c'], 2)).toEqual([
      ['0', 'a'],
      ['1', 'b'],
    ])
  })
})

describe('recordDiff', () => {
  it('compares state, context and status, the state first', () => {
    const [before, after] = viewRecords([
      { actor: 0, type: 'a', value: 'x', context: { n: 1, gone: true } },
      { actor: 0, type: 'b', value: 'y', context: { n: 2, 'a/b': 3 }, status: 'done' },
    ])
    expect(after && recordDiff(before, after)).toEqual({
      lines: [
        { type: 'added', path: 'status', after: 'done' },
        { type: 'changed', path: 'state', before: 'x', after: 'y' },
        { type: 'changed', path: 'context.n', before: 1, after: 2 },
        { type: 'removed', path: 'context.gone', before: true },
        { type: 'added', path: 'context.a/b', after: 3 },
      ],
      truncated: false,
    })
  })
})

describe('numbers', () => {
  it.each([
    [clockTime(40_821.4), '40.821'],
    [clockTime(64_821), '1:04.821'],
    [elapsedTime(84_000), '1:24'],
    [elapsedTime(3_727_000), '1:02:07'],
    [byteSize(512), '512 B'],
    [byteSize(2_621_440), '2.5 MB'],
  ])('%s is %s', (text, expected) => {
    expect(text).toBe(expected)
  })
})

describe('panel sizes', () => {
  it('are forgotten, not failed over, when the browser refuses to store', () => {
    const refuse = () => {
      throw new Error('denied')
    }
    vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse })
    storeSizes('rows', { log: 40 })
    expect(storedSizes('rows')).toBeUndefined()
    vi.unstubAllGlobals()
  })

  it.each([
    ['{"log":40,"views":60}', { log: 40, views: 60 }],
    ['{"log":"wide"}', undefined],
    ['[1', undefined],
    ['null', undefined],
  ])('%s is read as %j', (text, sizes) => {
    vi.stubGlobal('localStorage', { getItem: () => text })
    expect(storedSizes('rows')).toEqual(sizes)
    vi.unstubAllGlobals()
  })
})
