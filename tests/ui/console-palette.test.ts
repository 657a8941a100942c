// What the palette finds, in which order, and the commands of rows and actors.
import { describe, expect, it } from 'vitest'
import type { ConsoleCommand } from '../../src/ui/console/commands/use-commands.ts'
import {
  actorItems,
  bookmarkItems,
  eventItems,
  queryItems,
  stateItems,
  typeItems,
  wayItems,
  whenEntered,
  rank,
} from '../../src/ui/console/commands/palette-items.ts'
import { commandItems } from '../../src/ui/widgets/palette/palette-item.ts'
import { eventCommands, withTerm } from '../../src/ui/console/log/event-commands.ts'
import { memoryTrace } from '../../src/ui/console/model/shown-trace.ts'
import { START, type PlaceAction } from '../../src/ui/console/model/place.ts'
import { actorCommands } from '../../src/ui/console/tree/actor-commands.ts'
import { actorEntries, doorChart, traceSource, stepRecords } from './console-trace.ts'

function shown() {
  const actors = actorEntries(['client', 'client'], ['client/door', 'door'], ['client/refresh', 'refresh'])
  const steps = stepRecords([
    { actor: 0, type: 'xstate.init' },
    { actor: 1, type: 'xstate.init', value: 'open' },
    { actor: 1, type: 'door.shut', value: { shut: { lock: 'free', light: 'dark' } } },
    { actor: 1, type: 'door.open', value: 'open' },
    { actor: 2, type: 'token.due', value: 'idle' },
    { actor: 1, type: 'door.shut', value: { shut: { lock: 'free', light: 'dark' } } },
  ])
  const trace = memoryTrace(traceSource({ actors, steps }))
  trace.feed.advance(100)
  return trace
}

const did: unknown[] = []
const handlers = {
  pick: (seq: number) => did.push(['pick', seq]),
  pickActor: (actor: number) => did.push(['actor', actor]),
  setQuery: (query: string) => did.push(['query', query]),
}
const command = (id: string, title: string, more: Partial<ConsoleCommand> = {}): ConsoleCommand => ({
  id,
  title,
  section: 'Move',
  run: () => undefined,
  ...more,
})

describe('items', () => {
  const { timeline } = shown()

  it('are actors with their states at the moment, and states with their number of entries', () => {
    expect(actorItems(timeline, 3, handlers).map(({ title, detail }) => [title, detail])).toEqual([
      ['client', 'active'],
      ['door', 'open'],
      ['refresh', 'not started'],
    ])
    const states = stateItems(timeline, { actor: 1, at: 5, chart: doorChart }, handlers)
    expect(states.find(({ title }) => title === 'open')).toMatchObject({ detail: 'entered 2 times' })
    expect(states.find(({ title }) => title === 'shut.lock.locked')).toMatchObject({
      disabled: 'never entered',
    })
  })

  it("go to a state's last entry before the moment, else the next one", () => {
    expect([5, 3, 1, 0].map(at => whenEntered(timeline, 1, 'open', at))).toEqual([3, 1, 3, 1])
    expect(whenEntered(timeline, 1, 'shut.lock', 5)).toBe(2)
    expect(whenEntered(timeline, 1, 'gone', 5)).toBe(-1)
  })

  it('are events by number, with a message if there is none', () => {
    const about = (text: string) =>
      eventItems(text, timeline, handlers).map(({ title, detail, disabled }) => [title, disabled ?? detail])
    expect([about('#2'), about('5'), about('#9'), about('door')]).toEqual([
      [['#2', 'door.shut · door · 0.020']],
      [['#5', 'door.shut · door · 0.050']],
      [['#9', 'there are 6 events']],
      [],
    ])
  })

  it('are paths only if the system can be controlled, and not to history states', () => {
    expect(wayItems(doorChart, 'client/door', undefined)).toEqual([])
    const way = wayItems(doorChart, 'client/door', (actor, state) => did.push([actor, state]))
    way.find(({ title }) => title === 'Go to state open')?.run()
    expect(did.pop()).toEqual(['client/door', 'open'])
  })
})

describe('matches', () => {
  const { timeline } = shown()
  const all = [
    ...commandItems([
      command('drive.hold', 'Pause or resume the system', { words: 'hold lock' }),
      command('drive.step', 'Let the next event in', { disabled: 'no events waiting' }),
      command('mark.a', 'Mark A here'),
      command('next', 'Next event in the log', { words: 'step forward' }),
    ]),
    ...actorItems(timeline, 5, handlers),
    ...stateItems(timeline, { actor: 1, at: 5, chart: doorChart }, handlers),
    ...typeItems(timeline, handlers),
    ...queryItems(['actor:door -noop'], handlers),
    ...bookmarkItems(timeline, handlers),
  ]
  const titles = (text: string, recent?: readonly string[]) =>
    rank([...all, ...eventItems(text, timeline, handlers)], text, recent).found.map(({ item }) => item.title)

  it.each([
    ['hold', 'Pause or resume the system'],
    ['pause', 'Pause or resume the system'],
    ['nxt evnt', 'Next event in the log'],
    ['mark a', 'Mark A here'],
    ['door', 'door'],
    ['refr', 'refresh'],
    ['#2', '#2'],
    ['locked', 'shut.lock.locked'],
    ['>event', 'Next event in the log'],
    ['@do', 'door'],
    [':fre', 'shut.lock.free'],
    ['/noop', 'actor:door -noop'],
  ])('%s: %s first', (text, title) => {
    expect(titles(text)[0]).toBe(title)
  })

  it('are of one kind after a prefix, and disabled ones follow enabled ones', () => {
    expect(rank(all, '@').found.map(({ item }) => item.kind)).toEqual(['actor', 'actor', 'actor'])
    expect(titles('>event')).toEqual(['Next event in the log', 'Let the next event in'])
  })

  it('are all items without text, recently used ones first, and none without a match', () => {
    expect(titles('', ['actor:1', 'gone:2']).slice(0, 3)).toEqual([
      'door',
      'Pause or resume the system',
      'Let the next event in',
    ])
    expect(titles('')).toHaveLength(all.length)
    expect(rank(all, 'zeppelin')).toEqual({ found: [], total: 0 })
  })

  it('contain the positions of the letters', () => {
    expect(rank(all, 'mark').found[0]?.at).toEqual([0, 1, 2, 3])
  })
})

describe('commands of a row', () => {
  const trace = shown()
  const gone: PlaceAction[] = []
  const at = (seq: number, place = START) =>
    eventCommands(seq, {
      timeline: trace.timeline,
      details: trace.details,
      place,
      go: action => gone.push(action),
    })
  const run = (seq: number, id: string, place = START) => {
    at(seq, place)
      .find(one => one.id === id)
      ?.run()
    return gone.splice(0)
  }

  it('set a mark: A first, then B, which moves', () => {
    expect(run(2, 'mark.next')).toEqual([{ type: 'mark', mark: 'a', seq: 2 }])
    expect(run(3, 'mark.next', { ...START, marks: { a: 2, b: 5 } })).toEqual([
      { type: 'mark', mark: 'b', seq: 3 },
    ])
    expect(at(2).find(({ id }) => id === 'mark.clear')?.disabled).toBe('none are set')
    expect(at(-1)).toEqual([])
  })

  it('narrow the query, with each term once', () => {
    const place = { ...START, query: 'actor:door -noop' }
    expect(run(2, 'filter.type', place)).toEqual([
      { type: 'query', query: 'actor:door -noop type:door.shut' },
    ])
    expect(run(2, 'filter.actor', place)).toEqual([{ type: 'query', query: 'actor:door -noop' }])
    expect(run(2, 'filter.effects')).toEqual([{ type: 'query', query: 'caused-by:#2' }])
    expect(withTerm(' failed ', '-noop')).toBe('failed -noop')
  })

  it('filter by an actor, and go to its start', () => {
    const offered = actorCommands(1, {
      ...trace,
      at: 5,
      query: 'failed',
      go: action => gone.push(action),
      pick: seq => did.push(seq),
    })
    offered.find(({ id }) => id === 'actor.showNot')?.run()
    offered.find(({ id }) => id === 'actor.goFirst')?.run()
    expect([gone.splice(0), did.splice(0)]).toEqual([[{ type: 'query', query: 'failed -actor:door' }], [1]])
  })
})
