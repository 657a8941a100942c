// State over time: the history of values, differences of two moments, and effects of a step.
import { describe, expect, it, vi } from 'vitest'
import { memoryTrace } from '../../../../src/ui/console/model/shown-trace.ts'
import { causeChain, describeEffect, effectsOf } from '../../../../src/ui/console/state/cause-chain.ts'
import { countUpToNumber } from '../../../../src/trace/index.ts'
import { ChangeHistory } from '../../../../src/ui/console/state/change-history.ts'
import { compareCommands } from '../../../../src/ui/console/state/inspector.tsx'
import { changedActors, momentsOf } from '../../../../src/ui/console/state/all-diff.tsx'
import { ShownTree } from '../../../../src/ui/console/state/shown-tree.ts'
import { stepsPath } from '../../../../src/ui/console/state/pin-strip.tsx'
import { findByName, moveInValues } from '../../../../src/ui/console/state/value-tree.tsx'
import { both, clientTrace, request, wait } from '../../../trace/explain/corpus/situation.ts'
import { stored } from '../../../harness/timeline.ts'
import { actorEntries, traceSource, stepRecords } from '../../console-trace.ts'

const shown = (steps = stepRecords(STEPS)) => {
  const trace = memoryTrace(
    traceSource({
      actors: actorEntries(['root', 'root'], ['root/door', 'door'], ['root/lamp', 'lamp']),
      steps,
    }),
  )
  trace.feed.advance(10_000)
  return trace
}

const STEPS = [
  { actor: 0, type: 'xstate.init', value: 'on', context: { n: 0 } },
  { actor: 1, type: 'xstate.init', value: 'open', context: { n: 1, who: 'Ann' }, by: 0 },
  { actor: 1, type: 'door.pushed', value: 'open', context: { n: 1, who: 'Ann' }, changed: false },
  { actor: 1, type: 'door.shut', value: 'shut', context: { n: 2, who: 'Ann' } },
  { actor: 2, type: 'xstate.init', value: 'dark', by: 3 },
  { actor: 0, type: 'door.told', value: 'on', context: { n: 0, told: true }, by: 4 },
  { actor: 1, type: 'door.gone', value: 'shut', context: { n: 5 }, status: 'done' as const },
]

const looked = async (pointer: string, trace = shown()) => {
  const history = new ChangeHistory({ ...trace, actor: 1, pointer })
  const onPart = vi.fn<() => void>()
  await history.look(onPart, () => Promise.resolve(0), new AbortController().signal)
  return { history, onPart }
}

describe('the history of a value', () => {
  it('contains every step that changed it, with the old and new value', async () => {
    const { history, onPart } = await looked('/context/n')
    expect([history.seqs, history.share, onPart.mock.calls.length]).toEqual([[1, 3, 6], 1, 1])
    expect([history.before(3), history.after(3)]).toEqual([undefined, undefined])
    await history.want([1, 2, 3, 6], onPart)
    expect(history.seqs.map(seq => [history.before(seq), history.after(seq)])).toEqual([
      ['', '1'],
      ['1', '2'],
      ['2', '5'],
    ])
    expect(history.preview(6)).toEqual({ text: '5', number: 5 })
  })

  it('of states is known immediately, and shows the changed part', async () => {
    const { history } = await looked('/state')
    expect(history.seqs.map(seq => [seq, history.before(seq), history.after(seq)])).toEqual([
      [1, '', 'open'],
      [3, 'open', 'shut'],
      [6, '', 'shut done'],
    ])
  })

  it('continues in batches when the trace grows', async () => {
    const steps = stepRecords(
      Array.from({ length: 900 }, (_, n) => ({ actor: 1, type: 't', value: 'x', context: { n: n >> 1 } })),
    )
    const trace = shown(steps)
    const { history, onPart } = await looked('/context/n', trace)
    expect([history.seqs.length, onPart.mock.calls.length]).toEqual([450, 5])
    steps.push(...stepRecords([{ actor: 1, type: 't', value: 'x', context: { n: -1 } }], 900))
    trace.feed.advance(10_000)
    expect(history.share).toBeLessThan(1)
    await history.look(onPart, () => Promise.resolve(0), new AbortController().signal)
    expect([history.seqs.length, history.seqs.at(-1), history.share]).toEqual([451, 900, 1])
    expect(onPart.mock.calls.length).toBe(6)
  })

  it('continues for a new consumer after its first one canceled', async () => {
    const history = new ChangeHistory({ ...shown(), actor: 1, pointer: '/context/n' })
    const first = new AbortController()
    const pause = () => Promise.resolve(0)
    const looking = history.look(() => undefined, pause, first.signal)
    first.abort()
    await history.look(() => undefined, pause, new AbortController().signal)
    await looking
    expect([history.seqs, history.share]).toEqual([[1, 3, 6], 1])
  })

  it('reports why the search failed', async () => {
    const trace = shown()
    const details = { ...trace.details, match: () => Promise.reject(new Error('the file is closed')) }
    const history = new ChangeHistory({ ...trace, details, actor: 1, pointer: '/context/n' })
    await history.look(
      () => undefined,
      () => Promise.resolve(0),
      new AbortController().signal,
    )
    expect([history.failure, history.share]).toEqual(['the file is closed', 0])
  })

  it('is drawn as steps', () => {
    const points = [
      { t: 0, value: 1 },
      { t: 50, value: 3 },
    ]
    expect([stepsPath(points, 100), stepsPath([], 9)]).toEqual(['M2 14H42V2H82', ''])
    expect([
      countUpToNumber([1, 3, 6], 0),
      countUpToNumber([1, 3, 6], 3),
      countUpToNumber([1, 3, 6], 9),
    ]).toEqual([0, 2, 3])
  })
})

describe('two moments', () => {
  it('are marks, or a mark and the current moment', () => {
    expect([
      momentsOf('a', { a: 2 }, 9),
      momentsOf('ab', { a: 2 }, 9),
      momentsOf('all-ab', { a: 2, b: 5 }, 9),
      momentsOf('all-a', {}, 9),
    ]).toEqual([{ from: 2, to: 9 }, undefined, { from: 2, to: 5 }, undefined])
  })

  it('differ in the actors whose steps changed something', () => {
    const { timeline } = shown()
    expect(changedActors(timeline, { from: 1, to: 2 })).toEqual({ changed: [], same: 2, absent: 1 })
    expect(changedActors(timeline, { from: 2, to: 6 })).toEqual({
      changed: [
        { actor: 0, from: 0, to: 5, steps: 1 },
        { actor: 1, from: 2, to: 6, steps: 2 },
        { actor: 2, from: -1, to: 4, steps: 1 },
      ],
      same: 0,
      absent: 0,
    })
    expect(changedActors(timeline, { from: 6, to: 2 }).changed.map(({ from, to }) => [from, to])).toEqual([
      [5, 0],
      [6, 2],
      [4, -1],
    ])
  })

  it('are selected and compared by commands, which report what is missing', () => {
    const go = vi.fn<(action: unknown) => void>()
    const pick = vi.fn<(seq: number) => void>()
    const reasons = (marks: { a?: number; b?: number }) =>
      compareCommands({ marks, go, pick }).map(({ id, disabled }) => [id, disabled])
    expect(reasons({ a: 1 })).toEqual([
      ['mark.go.a', undefined],
      ['mark.go.b', 'Mark B is not set'],
      ['diff.before', undefined],
      ['diff.a', undefined],
      ['diff.ab', 'Mark B is not set'],
      ['diff.all', 'Mark B is not set'],
    ])
    const all = compareCommands({ marks: { a: 1, b: 4 }, go, pick })
    for (const { run } of all) run()
    expect([pick.mock.calls, go.mock.calls.length]).toEqual([[[1], [4]], 4])
    expect(go).toHaveBeenLastCalledWith({ type: 'layout', layout: { inspector: 'diff', diff: 'all-ab' } })
  })
})

describe('causes', () => {
  it('lead to a step, and on from it, each below its sender', () => {
    const { timeline } = shown()
    expect(causeChain(timeline, 5).seqs).toEqual([3, 4, 5])
    expect(effectsOf(timeline, 3, 10)).toEqual({
      effects: [
        { seq: 4, depth: 1 },
        { seq: 5, depth: 2 },
      ],
      isCut: false,
    })
    expect(effectsOf(timeline, 3, 1)).toEqual({ effects: [{ seq: 4, depth: 1 }], isCut: true })
  })

  it('show what each step did', () => {
    const { timeline } = shown()
    expect([0, 2, 3, 4, 5, 6].map(seq => describeEffect(timeline, seq))).toEqual([
      'started in on',
      'no effect',
      'open → shut',
      'started in dark',
      'handled',
      'done',
    ])
  })
})

describe('an event that changed nothing', () => {
  const passed = (...types: readonly string[]) =>
    shown(
      stepRecords([
        { actor: 0, type: 'go', changed: false, value: 'on' },
        { actor: 0, type: 'go', changed: false, value: 'on' },
        ...types.map((type, at) => ({ actor: 1 + (at % 2), type, by: 1, from: 0 })),
      ]),
    ).timeline

  it.each([
    [['go'], 'passed on to door'],
    [['go', 'go'], 'passed on to door and lamp'],
    [['go', 'other'], 'passed on to door'],
    [['other'], 'led to 1 event'],
    [['other', 'more'], 'led to 2 events'],
    [[], 'no effect'],
  ])('and led to %j is %j', (types, text) => {
    expect(describeEffect(passed(...types), 1)).toBe(text)
  })

  it('is a request for the client, which passes it on', () => {
    const { feed, timeline } = memoryTrace(clientTrace([stored(3_000)], both(wait(10), request(), wait(50))))
    feed.advance(Infinity)
    const seq = timeline.stepsOf(0).find(at => timeline.type(at) === 'request.start') ?? -1
    expect(describeEffect(timeline, seq)).toBe('passed on to requests')
  })
})

describe('keys in a tree of values', () => {
  const value = { context: { alpha: { one: 1 }, beta: [1, 2], gamma: 3 } }
  const tree = new ShownTree(value, { chosen: new Map() })
  const row = (pointer: string) => tree.indexOf(pointer)
  const pressed = (from: string, key: string) => {
    const move = moveInValues(tree, row(from), key)
    if (move?.kind === 'go') return tree.row(move.row)?.pointer
    return move && [move.kind, move.row.pointer, ...(move.kind === 'open' ? [move.isOpen] : [])]
  }

  it.each([
    ['/context', 'ArrowDown', '/context/alpha'],
    ['/context', 'ArrowUp', '/context'],
    ['/context/gamma', 'Home', '/context'],
    ['/context', 'End', '/context/gamma'],
    ['/context/alpha/one', 'ArrowLeft', '/context/alpha'],
    ['/context/alpha', 'ArrowLeft', ['open', '/context/alpha', false]],
    ['/context/alpha', 'ArrowRight', '/context/alpha/one'],
    ['/context/alpha', 'Enter', ['open', '/context/alpha', false]],
    ['/context/gamma', 'Enter', ['act', '/context/gamma']],
    ['/context/beta', '*', ['widen', '/context/beta']],
    ['/context/beta', 'Tab', undefined],
  ])('%s %s', (from, key, to) => {
    expect(pressed(from, key)).toEqual(to)
  })

  it('go to names by their first letters, wrapping around', () => {
    expect([
      findByName(tree, row('/context/alpha'), 'b'),
      findByName(tree, row('/context/gamma'), 'AL'),
      findByName(tree, row('/context/beta'), 'be'),
      findByName(tree, 0, 'zeta'),
    ]).toEqual([row('/context/beta'), row('/context/alpha'), row('/context/beta'), -1])
  })
})
