// The transitions in the views of a recording: named by their place in the chart, and only those that were taken.
import { assign, createMachine, fromPromise, raise, setup } from 'xstate'
import type { AnyStateMachine } from 'xstate'
import { describe, expect, test } from 'vitest'
import { encodeLines, comparable } from '../../src/trace/encode.ts'
import { machineChart } from '../../src/services/machine-chart.ts'
import { createSeededEntropy } from '../../src/services/entropy.ts'
import { record } from '../../src/services/recording/record.ts'
import { createVirtualClock } from '../../src/services/virtual-clock.ts'

/** What each step of the root took: the event, and each transition's name and label in the chart. */
function steps(machine: AnyStateMachine, ...events: readonly string[]): unknown[] {
  const recording = record(machine)
  recording.start()
  for (const type of events) recording.actor.send({ type })
  const labels = new Map<string, string>()
  const { root } = machineChart(machine)
  for (const state of [root, ...root.states, ...root.states.flatMap(({ states }) => states)]) {
    state.transitions.forEach(({ event }, n) => labels.set(`${state.path}#${n}`, event))
  }
  return recording.trace.views.map(({ event, via }) => [
    event.type,
    ...(via ?? []).map(name => `${name} ${labels.get(name)}`),
  ])
}

describe('a step names', () => {
  test('the one transition that it took, of several for the same event', () => {
    const machine = createMachine({
      initial: 'a',
      context: { n: 0 },
      states: {
        a: {
          on: {
            other: {},
            go: [{ guard: () => false, target: 'c' }, { guard: () => true, target: 'b' }, { target: 'c' }],
          },
        },
        b: { on: { '*': 'c' } },
        c: { on: { go: { actions: assign({ n: 1 }) } } },
      },
      on: { reset: '.a' },
    })
    expect(steps(machine, 'go', 'nothing.of.the.kind', 'go', 'reset', 'unknown')).toEqual([
      ['xstate.init'],
      ['go', 'a#2 go'],
      ['nothing.of.the.kind', 'b#0 *'],
      ['go', 'c#0 go'],
      ['reset', '#0 reset'],
      ['unknown'],
    ])
  })

  test('all that followed within it: raised events and those that need none, also at the start', () => {
    const machine = createMachine({
      initial: 'a',
      states: {
        a: { on: { never: 'c' }, always: 'b' },
        b: { on: { go: { actions: raise({ type: 'on' }) }, on: 'c' } },
        c: { always: [{ guard: () => false, target: 'a' }, { target: 'd' }], on: { go: 'a' } },
        d: { type: 'final' },
      },
    })
    expect(steps(machine, 'go')).toEqual([
      ['xstate.init', 'a#0 always'],
      ['go', 'b#0 go', 'b#1 on', 'c#1 always'],
    ])
  })

  test('those of all regions, but of two that would leave the same state only one', () => {
    const region = (id: string, go: object) => ({
      initial: 'off',
      states: { off: { on: { go: 'on', out: `#${id}` } }, on: { on: { go, out: `#${id}` } } },
    })
    const machine = createMachine({
      initial: 'inside',
      states: {
        inside: {
          type: 'parallel',
          states: { left: region('outside', {}), right: region('outside', {}) },
        },
        outside: { id: 'outside', on: { back: 'inside' } },
      },
    })
    const recording = record(machine)
    recording.start()
    for (const type of ['go', 'go', 'out', 'back', 'out']) recording.actor.send({ type })
    expect(recording.trace.views.map(({ via }) => via)).toEqual([
      undefined,
      ['inside.left.off#0', 'inside.right.off#0'],
      ['inside.left.on#0', 'inside.right.on#0'],
      ['inside.left.on#1'],
      ['outside#0'],
      ['inside.left.off#1'],
    ])
  })

  test('timers, answers and errors of children, each for the actor that took them', async () => {
    const child = createMachine({ id: 'child', initial: 'a', states: { a: { after: { 5: 'b' } }, b: {} } })
    const machine = setup({ actors: { child, ask: fromPromise(() => Promise.resolve(1)) } }).createMachine({
      id: 'root',
      initial: 'asking',
      invoke: { src: 'child', id: 'child' },
      states: {
        asking: { invoke: { src: 'ask', id: 'ask', onDone: 'pausing', onError: 'asking' } },
        pausing: { after: { 10: 'over' } },
        over: {},
      },
    })
    const clock = createVirtualClock()
    const recording = record(machine, { clock })
    recording.start()
    await expect.poll(() => recording.actor.getSnapshot().value).toBe('pausing')
    clock.advance(20)
    const { views, actors } = recording.trace
    expect(views.flatMap(({ via, actor }) => (via ? [[actors[actor]?.path, ...via]] : []))).toEqual([
      ['root', 'asking#0'],
      ['root/child', 'a#0'],
      ['root', 'pausing#0'],
    ])
  })
})

/** Nested, parallel and history states with transitions between any of them; each notes its name when it is taken. */
function randomMachine(random: () => number, note: (name: string) => void): AnyStateMachine {
  const pick = (n: number) => Math.floor(random() * n)
  const ids: string[] = []
  const region = (depth: number, path: readonly string[]): object => {
    const id = ['m', ...path].join('.')
    ids.push(id)
    if (depth === 0) return { id }
    const names = ['a', 'b', 'c'].slice(0, 2 + pick(2))
    const states = Object.fromEntries(names.map(name => [name, region(depth - 1, [...path, name])]))
    const kind = pick(2) === 0 ? { type: 'parallel' } : { initial: names[0] }
    if (pick(3) > 0) return { id, ...kind, states }
    ids.push(`${id}.h`)
    return { id, ...kind, states: { ...states, h: { id: `${id}.h`, type: 'history', history: 'deep' } } }
  }
  const config = region(3, [])
  const target = () => `#${ids[pick(ids.length)]}`
  const transition = (name: string) => ({
    ...(pick(4) > 0 && { target: target() }),
    reenter: pick(3) === 0,
    actions: () => note(name),
  })
  const wired = (state: object, path: readonly string[]): object => {
    const name = path.join('.')
    const on = Object.fromEntries(
      ['x', 'y', 'z']
        .flatMap(type => (pick(3) === 0 ? [type] : []))
        .map((type, n) => [type, transition(`${name}#${n}`)]),
    )
    const inner = Object.entries('states' in state ? (state.states as Record<string, object>) : {})
    const states = inner.map(([key, one]) => [key, key === 'h' ? one : wired(one, [...path, key])])
    return { ...state, on, ...(inner.length > 0 && { states: Object.fromEntries(states) as object }) }
  }
  return createMachine(wired(config, []) as never)
}

test('of the transitions that XState selects in parallel states, those are named that are carried out', () => {
  let several = 0
  for (let seed = 0; seed < 150; seed++) {
    const { random } = createSeededEntropy(seed)
    const noted: string[] = []
    const recording = record(randomMachine(random, name => noted.push(name)))
    recording.start()
    for (let n = 0; n < 20; n++)
      recording.actor.send({ type: ['x', 'y', 'z'][Math.floor(random() * 3)] ?? 'x' })
    const named = recording.trace.views.map(({ via = [] }) => via)
    expect(named.flat(), `seed ${seed}`).toEqual(noted)
    several += named.filter(({ length }) => length > 1).length
  }
  expect(several).toBeGreaterThan(300)
})

test('a replay need not take the same way: what it compares and what is hashed leaves transitions out', () => {
  const machine = createMachine({ initial: 'a', states: { a: { on: { go: 'b' } }, b: {} } })
  const recording = record(machine)
  recording.start()
  recording.actor.send({ type: 'go' })
  const [, view] = recording.trace.views
  if (!view) throw new Error('nothing happened')
  expect(view.via).toEqual(['a#0'])
  expect(comparable({ ...view, via: ['b#7'] })).toBe(comparable(view))
  const { via: _via, ...bare } = view
  const hashOf = (last: typeof view) => {
    const [start] = recording.trace.views
    const lines = [...encodeLines({ ...recording.trace, views: start ? [start, last] : [] })]
    return lines.filter(line => line.includes('"line":"hash"'))
  }
  expect(hashOf(view)).toEqual(hashOf(bare))
  expect(hashOf(view)).not.toEqual(hashOf({ ...view, status: 'done' }))
})
