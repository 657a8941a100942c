// How the console formats states and numbers, and stores sizes.
import { describe, expect, it, vi } from 'vitest'
import { activePaths, leafPaths, stateLabel } from '../../src/trace/index.ts'
import { stateChange } from '../../src/ui/console/state-change.ts'
import { storedSizes, storeSizes } from '../../src/ui/console/stored-layout.ts'
import { clockTime, elapsedTime, eventName } from '../../src/ui/console/text.ts'
import { meaningOf } from '../../src/ui/console/tone.ts'
import { stepRecords } from './console-trace.ts'
import { formatSize } from '../../src/services/workbench/text/index.ts'

const nested = { in: { token: 'fresh', user: { known: 'idle' } } }

describe('state values', () => {
  it('are paths from the outermost state in', () => {
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
    [{ awake: { competing: 'leader' } }, 'active', { tone: 'ok', path: 'awake.competing.leader' }],
    ['following', 'active', { tone: 'neutral', path: 'following' }],
    ['denied', 'active', { tone: 'fail', path: 'denied' }],
    ['open', 'error', { tone: 'fail' }],
    ['backingOff', 'active', { tone: 'pending', path: 'backingOff' }],
    ['open', 'done', { tone: 'neutral' }],
  ] as const)('%j while %s means %j', (value, status, meaning) => {
    const [step] = stepRecords([{ actor: 0, type: 'x', value, status }])
    expect(step && meaningOf(step)).toEqual(meaning)
  })
})

describe('numbers', () => {
  it.each([
    [clockTime(40_821.4), '40.821'],
    [clockTime(64_821), '1:04.821'],
    [elapsedTime(84_000), '1:24'],
    [elapsedTime(3_727_000), '1:02:07'],
    [formatSize(512), '512 B'],
    [formatSize(2_621_440), '2.6 MB'],
  ])('%s is %s', (text, expected) => {
    expect(text).toBe(expected)
  })
})

describe('panel sizes', () => {
  it('are ignored without an error if the browser refuses to store', () => {
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

it('an event is named by its number, if there is one', () => {
  expect([eventName(1204), eventName(0), eventName(-1)]).toEqual(['event 1,204', 'event 0', 'no event'])
})
