// The console's log: filtering as it grows, the cursor and the keys that move it.
import { describe, expect, it } from 'vitest'
import { moveCursor, select } from '../../src/ui/console/cursor.ts'
import { commandOf, KEYS } from '../../src/ui/console/keys.ts'
import { LogFilter, parseTerms } from '../../src/ui/console/log-filter.ts'
import { TraceIndex } from '../../src/ui/console/trace-index.ts'
import { actorEntries, traceSource, viewRecords } from './console-trace.ts'

const actors = () =>
  actorEntries(['client', 'client'], ['client/session', 'session'], ['client/door', 'door'])
const views = () =>
  viewRecords([
    { actor: 0, type: 'xstate.init' },
    { actor: 1, type: 'session.loaded', value: 'signedOut' },
    { actor: 2, type: 'door.shut', value: { shut: { lock: 'free', light: 'dark' } } },
    { actor: 1, type: 'signIn.request', value: 'authenticating' },
    { actor: 2, type: 'key.turned', value: { shut: { lock: 'free', light: 'dark' } }, changed: false },
  ])

const matches = (query: string) => {
  const source = traceSource({ actors: actors(), views: views() })
  const filter = new LogFilter(source, query)
  filter.advance(source.views.length, 100)
  return Array.from({ length: filter.length }, (_, row) => filter.seqAt(row))
}

describe('LogFilter', () => {
  it.each([
    ['', [0, 1, 2, 3, 4]],
    ['session', [1, 3]],
    ['SIGNIN', [3]],
    ['lock.free', [2, 4]],
    ['door -noop', [2]],
    ['noop', [4]],
    ['client/ -session', [2, 4]],
    ['session door', []],
  ])('%j finds %j', (query, seqs) => {
    expect(matches(query)).toEqual(seqs)
  })

  it('takes a query apart into wanted and unwanted words', () => {
    expect(parseTerms('  Door  -noop - ')).toEqual([
      { text: 'door', wanted: true },
      { text: 'noop', wanted: false },
    ])
  })

  it('looks at each record once, in portions, and finds what is appended later', () => {
    const source = traceSource({ actors: actors(), views: views() })
    const filter = new LogFilter(source, 'session')
    expect([filter.advance(5, 2), filter.scanned, filter.length]).toEqual([true, 2, 1])
    expect([filter.advance(5, 10), filter.scanned, filter.length]).toEqual([false, 5, 2])
    const more = viewRecords([{ actor: 1, type: 'signIn.failed', value: 'signedOut' }], 5)
    Reflect.apply(Array.prototype.push, source.views, more)
    expect([filter.advance(6, 10), filter.scanned, filter.length]).toEqual([false, 6, 3])
    expect(filter.seqAt(2)).toBe(5)
  })

  it('steps from row to row, also from a record that it hides, and stops at both ends', () => {
    const source = traceSource({ actors: actors(), views: views() })
    const filter = new LogFilter(source, 'session')
    filter.advance(5, 10)
    const steps = [0, 1, 2, 3, 4].map(seq => [filter.step(seq, -1), filter.step(seq, 1)])
    expect(steps).toEqual([
      [1, 1],
      [1, 3],
      [1, 3],
      [1, 3],
      [3, 3],
    ])
  })
})

describe('cursor', () => {
  const index = () => {
    const made = new TraceIndex(traceSource({ actors: actors(), views: views() }))
    made.advance(100)
    return made
  }
  const where = (...actions: Parameters<typeof moveCursor>[1][]) => {
    const { at, following, actor, seq } = select(actions.reduce(moveCursor, {}), index(), 5)
    return { at, following, actor, seq }
  }

  it('follows the end and shows the session until something is chosen', () => {
    expect(where()).toEqual({ at: 4, following: true, actor: 1, seq: 3 })
  })

  it('stands on a chosen record and its actor', () => {
    expect(where({ type: 'record', seq: 2, actor: 2 })).toEqual({ at: 2, following: false, actor: 2, seq: 2 })
  })

  it('keeps the moment when an actor is chosen, and the actor when it returns to the end', () => {
    expect(where({ type: 'record', seq: 2, actor: 2 }, { type: 'actor', actor: 1 })).toEqual({
      at: 2,
      following: false,
      actor: 1,
      seq: 1,
    })
    expect(where({ type: 'record', seq: 2, actor: 2 }, { type: 'end' })).toEqual({
      at: 4,
      following: true,
      actor: 2,
      seq: 4,
    })
  })

  it('forgets both for another trace', () => {
    expect(where({ type: 'record', seq: 2, actor: 2 }, { type: 'reset' })).toEqual(where())
  })
})

describe('keys', () => {
  const press = (key: string, modifiers = {}) =>
    commandOf({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...modifiers })

  it('reaches every command of the sheet', () => {
    const reached = KEYS.map(({ keys: [name = ''] }) =>
      press(name.replace('Shift+', ''), { shiftKey: name.startsWith('Shift+') }),
    )
    expect(reached).toEqual(KEYS.map(({ command }) => command))
  })

  it('takes a letter in either case and leaves shortcuts of the browser alone', () => {
    expect([press('j'), press('J'), press('J', { shiftKey: true }), press('f', { ctrlKey: true })]).toEqual([
      'next',
      'next',
      'nextOfActor',
      undefined,
    ])
  })
})
