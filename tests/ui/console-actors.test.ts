// The console's actor tree and index: who exists at a moment, in which state, and how lines are kept.
import { describe, expect, it } from 'vitest'
import { familyOf, ownName } from '../../src/ui/console/actor-names.ts'
import { actorTree, expandedKeys, LISTED, type ActorNode } from '../../src/ui/console/actor-nodes.ts'
import { actorState } from '../../src/ui/console/actor-state.ts'
import { causeChain } from '../../src/ui/console/cause-chain.ts'
import { memoryTrace } from '../../src/ui/console/model/shown-trace.ts'
import { reuseNodes } from '../../src/ui/console/reuse-nodes.ts'
import { TraceIndex } from '../../src/ui/console/trace-index.ts'
import { actorEntries, doorChart, traceSource, viewRecords } from './console-trace.ts'

const actors = actorEntries(
  ['client', 'client'],
  ['client/session', 'session'],
  ['client/session/load', 'loadSession'],
  ['client/get', 'request'],
  ['client/get#2', 'request'],
)
const views = viewRecords([
  { actor: 0, type: 'xstate.init', value: 'running' },
  { actor: 1, type: 'xstate.init', value: 'booting', by: 0 },
  { actor: 2, type: 'xstate.init', by: 1 },
  { actor: 2, type: 'done', status: 'done' },
  { actor: 1, type: 'session.loaded', value: 'signedOut' },
  { actor: 3, type: 'xstate.init', value: 'sending' },
  { actor: 4, type: 'xstate.init', value: 'awaitingToken' },
  { actor: 3, type: 'http.answered', value: 'settled', status: 'done' },
])

const indexed = (source = traceSource({ actors: [...actors], views: [...views] })) => {
  const trace = memoryTrace(source)
  trace.feed.advance(1000)
  return new TraceIndex(trace)
}
const treeAt = (seq: number, selected = 0, index = indexed()) =>
  actorTree({ index, seq, selected, charts: { door: doorChart } })
const outline = (nodes: readonly ActorNode[], depth = 0): string[] =>
  nodes.flatMap(({ name, state, size, children }) => [
    `${'  '.repeat(depth)}${name} ${state ? `${state.text} (${state.tone})` : size}`,
    ...outline(children, depth + 1),
  ])

describe('actorTree', () => {
  it('shows who existed at a moment, with the state of that moment', () => {
    expect(outline(treeAt(2))).toEqual([
      'client running (neutral)',
      '  session booting (pending)',
      '    load running (neutral)',
    ])
  })

  it('groups requests and puts those that stopped behind one line', () => {
    expect(outline(treeAt(7))).toEqual([
      'client running (neutral)',
      '  session signedOut (neutral)',
      '    stopped 1',
      '      load done (neutral)',
      '  requests 1',
      '    get#2 awaitingToken (pending)',
      '  stopped 1',
      '    get done (neutral)',
    ])
  })

  it('lists the youngest of many, counts the rest and never leaves out the selected one', () => {
    const many = Array.from({ length: 80 }, (_, n) => [`client/get#${n}`, 'request'] as const)
    const crowd = actorEntries(['client', 'client'], ...many)
    const first = viewRecords(
      crowd.map(({ index }) => ({ actor: index, type: 'xstate.init', value: 'sending' })),
    )
    const index = indexed(traceSource({ actors: crowd, views: first }))
    const group = treeAt(80, 3, index)[0]?.children[0]
    expect([group?.size, group?.hidden, group?.children.length]).toEqual([80, 80 - LISTED, LISTED])
    expect(group?.children.map(({ actor }) => actor).slice(0, 2)).toEqual([3, 62])
  })

  it('opens all but the stopped ones, and those too when the selected actor is among them', () => {
    const keys = (selected: number, chosen: [string, boolean][] = []) =>
      expandedKeys(treeAt(7, selected), selected, new Map(chosen))
    expect(keys(0)).toEqual(['actor:0', 'actor:1', 'group:0:request'])
    expect(keys(2)).toEqual(['actor:0', 'actor:1', 'stopped:1', 'group:0:request'])
    expect(keys(2, [['actor:1', false]])).toEqual(['actor:0', 'stopped:1', 'group:0:request'])
  })
})

describe('actorState', () => {
  it.each([
    [{ joined: 'live' }, 'live', 'joined.live'],
    [
      { authenticated: { token: 'fresh', assurance: 'aal1' } },
      'authenticated',
      'authenticated(token.fresh, assurance.aal1)',
    ],
    [
      { authenticated: { token: 'refreshing', assurance: 'aal1' } },
      'refreshing',
      'authenticated(token.refreshing, assurance.aal1)',
    ],
    [{ token: 'fresh', assurance: { aal: 'aal1' } }, 'fresh +1', 'token.fresh, assurance.aal.aal1'],
    ['signedOut', 'signedOut', 'signedOut'],
    [undefined, 'running', 'running'],
  ])('%j is shown as %s', (value, text, full) => {
    const [entry] = actors
    const first = viewRecords([{ actor: 0, type: 'xstate.init', ...(value && { value }) }])
    const index = indexed(traceSource({ actors: [...actors], views: first }))
    const state = entry && actorState(entry, index, 0, {})
    expect(state && { text: state.text, full: state.full }).toEqual({ text, full })
  })
})

describe('reuseNodes', () => {
  it('keeps the objects of lines that did not change', () => {
    const [before, same, later] = [treeAt(6), treeAt(6), treeAt(7)]
    expect(reuseNodes(before, same)).toBe(before)
    const next = reuseNodes(before, later)
    expect(next).toEqual(later)
    expect(next[0]?.children[0]).toBe(before[0]?.children[0])
  })
})

describe('TraceIndex', () => {
  it('finds the records of an actor around a moment', () => {
    const index = indexed()
    expect([index.lastOf(1, 3), index.lastOf(1, 4), index.lastOf(1, 0), index.nextOf(1, 1)]).toEqual([
      1, 4, -1, 4,
    ])
    expect([index.previous(4), index.previous(1), [...index.effects(0)], [...index.effects(1)]]).toEqual([
      1,
      -1,
      [1],
      [2],
    ])
    expect([
      index.visited(1, 'booting', 0),
      index.visited(1, 'booting', 1),
      index.visited(1, 'gone', 7),
    ]).toEqual([false, true, false])
  })

  it('notices that its source holds another recording', () => {
    const source = traceSource({ actors: [...actors], views: [...views] })
    const index = indexed(source)
    expect(index.trace.feed?.isOutdated).toBe(false)
    Reflect.set(source.views, 0, { ...views[0] })
    expect(index.trace.feed?.isOutdated).toBe(true)
  })
})

describe('names and causes', () => {
  it('calls an actor by its own part of the path and gives leaves the hue of their machine', () => {
    expect(actors.map(entry => [ownName(entry, actors), familyOf(entry, actors)])).toEqual([
      ['client', 'client'],
      ['session', 'session'],
      ['load', 'session'],
      ['get', 'request'],
      ['get#2', 'request'],
    ])
  })

  it('follows a record back to where it came from, as far as a reader would', () => {
    const source = traceSource({ actors: [...actors], views: [...views] })
    const chain = (seq: number) => {
      const view = source.views[seq]
      return view && causeChain(source, view).views.map(record => record.seq)
    }
    expect(chain(2)).toEqual([0, 1, 2])
    const long = viewRecords(
      Array.from({ length: 250 }, (_, n) => ({ actor: 0, type: 'a', ...(n > 0 && { by: n - 1 }) })),
    )
    const deep = traceSource({ actors: [...actors], views: long })
    const cutAt = (seq: number) => {
      const view = long[seq]
      return view && [causeChain(deep, view).views.length, causeChain(deep, view).cut]
    }
    expect([cutAt(98), cutAt(99), cutAt(100), cutAt(249)]).toEqual([
      [99, false],
      [100, false],
      [100, true],
      [100, true],
    ])
  })
})
