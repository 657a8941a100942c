// The console's log and its place: filtering as it grows, the selection, its URL, and the keys that move it.
import { describe, expect, it } from 'vitest'
import { missingOf, readPlace, writePlace } from '../../../../src/ui/console/model/location.ts'
import { move, START, type PlaceAction, select } from '../../../../src/ui/console/model/place.ts'
import { RowGroups } from '../../../../src/ui/console/log/row-groups.ts'
import { RowFilter } from '../../../../src/ui/console/model/row-filter.ts'
import { memoryTrace } from '../../../../src/ui/console/model/shown-trace.ts'
import { actorEntries, traceSource, stepRecords } from '../../console-trace.ts'

const actors = () =>
  actorEntries(['client', 'client'], ['client/session', 'session'], ['client/door', 'door'])
const steps = () =>
  stepRecords([
    { actor: 0, type: 'xstate.init' },
    { actor: 1, type: 'session.loaded', value: 'signedOut', context: { n: 1 } },
    { actor: 2, type: 'door.shut', value: { shut: { lock: 'free', light: 'dark' } } },
    { actor: 1, type: 'signIn.request', value: 'authenticating', context: { n: 2 } },
    { actor: 2, type: 'key.turned', value: { shut: { lock: 'free', light: 'dark' } }, changed: false },
  ])

const shown = () => {
  const trace = memoryTrace(traceSource({ actors: actors(), steps: steps() }))
  trace.feed.advance(100)
  return trace
}
const filterOf = (query: string, { timeline, details } = shown()) => new RowFilter(query, timeline, details)
const rows = (filter: RowFilter) => Array.from({ length: filter.length }, (_, row) => filter.seqAt(row))

describe('RowFilter', () => {
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
    const filter = filterOf(query)
    filter.advance(5, 100)
    expect(rows(filter)).toEqual(seqs)
  })

  it('tests each view once, in batches, and finds ones appended later', () => {
    const trace = shown()
    const filter = filterOf('session', trace)
    expect([filter.advance(5, 2), filter.scanned, filter.length]).toEqual([true, 2, 1])
    expect([filter.advance(5, 10), filter.scanned, filter.length]).toEqual([false, 5, 2])
    const more = stepRecords([{ actor: 1, type: 'signIn.failed', value: 'signedOut' }], 5)
    Reflect.apply(Array.prototype.push, trace.source.steps, more)
    trace.feed.advance(10)
    expect([filter.advance(6, 10), filter.scanned, filter.length]).toEqual([false, 6, 3])
    expect(filter.seqAt(2)).toBe(5)
  })

  it('loads records only if columns are not enough, and none twice', async () => {
    const filter = filterOf('changed:/n')
    filter.advance(5, 100)
    expect([filter.length, filter.scanned]).toEqual([0, 0])
    const parts: number[] = []
    await filter.ask(() => parts.push(filter.scanned))
    expect([rows(filter), filter.scanned, parts]).toEqual([[1, 3], 5, [5]])
    await filter.ask(() => parts.push(-1))
    expect(parts).toEqual([5])
  })

  it('steps from row to row, also from a hidden view, and stops at both ends', () => {
    const filter = filterOf('session')
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

describe('RowGroups', () => {
  const causes = [-1, 0, 0, 0, 1, 2, 2]
  const grouped = () => {
    const steps = stepRecords(causes.map(cause => ({ actor: 0, type: 'tick', cause })))
    const trace = memoryTrace(traceSource({ actors: actors(), steps: steps }))
    trace.feed.advance(100)
    const filter = filterOf('', trace)
    filter.advance(5, 100)
    const groups = new RowGroups(trace.timeline, filter)
    groups.advance()
    return { groups, filter }
  }
  const items = (groups: RowGroups) =>
    Array.from({ length: groups.length }, (_, row) => groups.at(row)).map(
      item => item && `${item.kind === 'group' ? '+' : ''}${item.seq}`,
    )

  it('groups events by cause, and grows with the filter', () => {
    const { groups, filter } = grouped()
    expect([items(groups), groups.sizeOf(1), groups.lastOf(1)]).toEqual([['+0', '+1', '+4'], 3, 3])
    filter.advance(7, 100)
    groups.advance()
    expect([items(groups), groups.sizeOf(3), groups.at(4)]).toEqual([['+0', '+1', '+4', '+5'], 2, undefined])
  })

  it('shows events of expanded groups, and finds the row of an event or of the group that hides it', () => {
    const { groups, filter } = grouped()
    filter.advance(7, 100)
    groups.advance()
    groups.set(3, true)
    groups.set(1, true)
    expect(items(groups)).toEqual(['+0', '+1', '1', '2', '3', '+4', '+5', '5', '6'])
    expect(causes.map((_, seq) => groups.rowOf(seq))).toEqual([0, 2, 3, 4, 5, 7, 8])
    groups.set(1, false)
    expect(items(groups)).toEqual(['+0', '+1', '+4', '+5', '5', '6'])
    expect(causes.map((_, seq) => groups.rowOf(seq))).toEqual([0, 1, 1, 1, 2, 4, 5])
    expect(groups.rowOf(-1)).toBe(-1)
  })
})

describe('place', () => {
  const where = (...actions: PlaceAction[]) => {
    const { at, following, actor, seq } = select(actions.reduce(move, START), shown().timeline, 5)
    return { at, following, actor, seq }
  }

  it('follows the end and shows the session by default', () => {
    expect(where()).toEqual({ at: 4, following: true, actor: 1, seq: 3 })
  })

  it('is a selected view and its actor', () => {
    expect(where({ type: 'record', seq: 2, actor: 2 })).toEqual({ at: 2, following: false, actor: 2, seq: 2 })
  })

  it('keeps the moment when an actor is selected, and the actor when it returns to the end', () => {
    const chosen = { type: 'record', seq: 2, actor: 2 } as const
    expect(where(chosen, { type: 'actor', actor: 1 })).toEqual({ at: 2, following: false, actor: 1, seq: 1 })
    expect(where(chosen, { type: 'end' })).toEqual({ at: 4, following: true, actor: 2, seq: 4 })
  })

  it('resets both for another trace', () => {
    expect(where({ type: 'record', seq: 2, actor: 2 }, { type: 'reset' })).toEqual(where())
  })
})

describe('the place in the URL', () => {
  it('is the same place when it is read again', () => {
    const { timeline } = shown()
    const actions: PlaceAction[] = [
      { type: 'record', seq: 3, actor: 1 },
      { type: 'range', range: [10.5, 40] },
      { type: 'query', query: 'actor:door -noop' },
      { type: 'layout', layout: { center: 'timeline', inspector: 'cause', grouped: true } },
    ]
    const place = actions.reduce(move, START)
    const params = writePlace(place, timeline)
    expect(params).toEqual({
      at: '3',
      actor: 'client/session',
      t: '10.5-40',
      q: 'actor:door -noop',
      view: 'timeline',
      tab: 'cause',
      group: 'cause',
    })
    expect(readPlace(params)).toEqual({ place: { ...place, actor: 'client/session' }, hints: [] })
    const there = { actor: 1, seq: 3, at: 3 }
    expect(select(readPlace(params).place, shown().timeline, 5)).toMatchObject(there)
    expect([writePlace(START, timeline), readPlace({})]).toEqual([{}, { place: START, hints: [] }])
  })

  it('ignores invalid values, with a hint', () => {
    const { place, hints } = readPlace({ at: '-1', t: '40-10' })
    expect([place, hints]).toEqual([START, ['“-1” is not an event number.', '“40-10” is not a time range.']])
    const bold = { ...START, seq: 900, actor: 'client/nobody' }
    expect(missingOf(bold, shown().timeline)).toEqual([
      'There is no event 900 in this recording. Showing the end.',
      'There is no actor client/nobody in this recording.',
    ])
    expect(select(bold, shown().timeline, 5)).toMatchObject({ at: 4, following: true, actor: 1 })
  })
})
