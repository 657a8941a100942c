// The console's actor tree and index: which actors exist at a moment, their states, and stable lines.
import { describe, expect, it } from 'vitest'
import { ownName } from '../../src/ui/console/actor-names.ts'
import { causeChain } from '../../src/ui/console/state/cause-chain.ts'
import { memoryTrace } from '../../src/ui/console/model/shown-trace.ts'
import { actorState } from '../../src/ui/console/tree/actor-row.tsx'
import { moveInTree, STOPPED_LISTED, treeRows, type TreeRow } from '../../src/ui/console/tree/tree-rows.ts'
import { actorEntries, traceSource, stepRecords } from './console-trace.ts'

const actors = actorEntries(
  ['client', 'client'],
  ['client/session', 'session'],
  ['client/session/load', 'loadSession'],
  ['client/get', 'request'],
  ['client/get#2', 'request'],
)
const steps = stepRecords([
  { actor: 0, type: 'xstate.init', value: 'running' },
  { actor: 1, type: 'xstate.init', value: 'booting', by: 0 },
  { actor: 2, type: 'xstate.init', by: 1 },
  { actor: 2, type: 'done', status: 'done' },
  { actor: 1, type: 'session.loaded', value: 'signedOut' },
  { actor: 3, type: 'xstate.init', value: 'sending' },
  { actor: 4, type: 'xstate.init', value: 'awaitingToken' },
  { actor: 3, type: 'http.answered', value: 'settled', status: 'done' },
])

const indexed = (source = traceSource({ actors: [...actors], steps: [...steps] })) => {
  const trace = memoryTrace(source)
  trace.feed.advance(1000)
  return trace
}
const treeAt = (
  seq: number,
  selected = 0,
  chosen: readonly (readonly [string, boolean])[] = [],
  { timeline } = indexed(),
) => treeRows({ timeline, seq, selected, chosen: new Map(chosen) })
const outline = (rows: readonly TreeRow[], { timeline } = indexed(), at = Infinity): string[] =>
  rows.map(({ kind, level, actor, size, isOpen }) => {
    const entry = timeline.actors[actor]
    const state = entry && actorState(entry, timeline, at, {})
    const name = kind === 'actor' ? entry && ownName(entry, timeline.actors) : kind
    const fold = isOpen === undefined ? '' : isOpen ? '- ' : '+ '
    return `${'  '.repeat(level - 1)}${fold}${name} ${kind === 'actor' ? state?.text : size}`
  })

describe('treeRows', () => {
  it('shows the actors that exist at a moment', () => {
    expect(outline(treeAt(2), indexed(), 2)).toEqual([
      '- client running',
      '  - session booting',
      '    load running',
    ])
  })

  it('groups requests, and stopped actors in one collapsed line', () => {
    expect(outline(treeAt(7), indexed(), 7)).toEqual([
      '- client running',
      '  - session signedOut',
      '    + stopped 1',
      '  - group 1',
      '    get#2 awaitingToken',
      '  + stopped 1',
    ])
  })

  it('expands and collapses what the user chooses, and expands the parents of the selected actor', () => {
    expect(outline(treeAt(7, 3, [['actor:1', false]]), indexed(), 7)).toEqual([
      '- client running',
      '  + session signedOut',
      '  - group 1',
      '    get#2 awaitingToken',
      '  - stopped 1',
      '    get done',
    ])
  })

  it('lists the youngest of many stopped actors, counts the rest and always includes the selected one', () => {
    const size = STOPPED_LISTED + 50
    const many = Array.from({ length: size }, (_, n) => [`client/get#${n}`, 'request'] as const)
    const crowd = actorEntries(['client', 'client'], ...many)
    const first = stepRecords([
      { actor: 0, type: 'xstate.init' },
      ...crowd.slice(1).map(({ index }) => ({ actor: index, type: 'done', status: 'done' as const })),
    ])
    const index = indexed(traceSource({ actors: crowd, steps: first }))
    const rows = treeAt(size, 3, [], index)
    const [, group, ...members] = rows
    expect([group?.size, group?.hidden, members.length]).toEqual([size, 50, STOPPED_LISTED])
    expect([members.at(-1)?.actor, members[0]?.actor]).toEqual([3, size])
    expect(treeAt(10, 3, [], index).length).toBe(2 + 10)
  })

  it('numbers each line among its siblings', () => {
    expect(treeAt(7).map(({ level, place, of }) => [level, place, of])).toEqual([
      [1, 1, 1],
      [2, 1, 3],
      [3, 1, 1],
      [2, 2, 3],
      [3, 1, 1],
      [2, 3, 3],
    ])
  })

  it('is navigated by keys', () => {
    const rows = treeAt(7)
    const keyOf = (at: number, key: string) => {
      const step = moveInTree(rows, at, key)
      return step && [step.row?.key, step.open]
    }
    expect([keyOf(0, 'ArrowDown'), keyOf(1, 'ArrowUp'), keyOf(0, 'End')]).toEqual([
      ['actor:1', undefined],
      ['actor:0', undefined],
      ['stopped:0', undefined],
    ])
    expect([keyOf(1, 'ArrowLeft'), keyOf(2, 'ArrowLeft'), keyOf(2, 'ArrowRight')]).toEqual([
      ['actor:1', false],
      ['actor:1', undefined],
      ['stopped:1', true],
    ])
    expect([keyOf(1, 'ArrowRight'), keyOf(5, 'Enter'), keyOf(1, 'x')]).toEqual([
      ['stopped:1', undefined],
      ['stopped:0', true],
      undefined,
    ])
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
    const first = stepRecords([{ actor: 0, type: 'xstate.init', ...(value && { value }) }])
    const index = indexed(traceSource({ actors: [...actors], steps: first }))
    const state = entry && actorState(entry, index.timeline, 0, {})
    expect(state && { text: state.text, full: state.full, isPlain: state.isPlain }).toEqual({
      text,
      full,
      isPlain: value === undefined,
    })
  })
})

describe('the timeline of a trace in memory', () => {
  it("finds an actor's records around a moment", () => {
    const index = indexed().timeline
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
      index.visits(1, 0).has('booting'),
      index.visits(1, 1).has('booting'),
      index.visits(1, 7).has('gone'),
    ]).toEqual([false, true, false])
  })

  it('notices that its source contains another recording', () => {
    const source = traceSource({ actors: [...actors], steps: [...steps] })
    const index = indexed(source)
    expect(index.feed.isOutdated).toBe(false)
    Reflect.set(source.steps, 0, { ...steps[0] })
    expect(index.feed.isOutdated).toBe(true)
  })
})

describe('names and causes', () => {
  it('names an actor by its own path part and gives leaves the hue of their machine', () => {
    const { timeline } = indexed()
    expect(actors.map(entry => [ownName(entry, actors), timeline.family(entry.index)])).toEqual([
      ['client', 'client'],
      ['session', 'session'],
      ['load', 'session'],
      ['get', 'request'],
      ['get#2', 'request'],
    ])
  })

  it('follows a record back to its cause, up to a limit', () => {
    const { timeline } = indexed()
    expect(causeChain(timeline, 2)).toEqual({ stimulus: undefined, seqs: [0, 1, 2], cut: false })
    const long = stepRecords(
      Array.from({ length: 250 }, (_, n) => ({ actor: 0, type: 'a', ...(n > 0 && { by: n - 1 }) })),
    )
    const deep = indexed(traceSource({ actors: [...actors], steps: long })).timeline
    const cutAt = (seq: number) => {
      const { seqs, cut } = causeChain(deep, seq)
      return [seqs.length, cut]
    }
    expect([cutAt(98), cutAt(99), cutAt(100), cutAt(249)]).toEqual([
      [99, false],
      [100, false],
      [100, true],
      [100, true],
    ])
  })
})
