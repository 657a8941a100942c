// The transitions in the steps of a recording: named by their place in the chart, and only those that were taken.
import { assign, createMachine, fromPromise, raise, setup } from 'xstate'
import type { AnyStateMachine } from 'xstate'
import { describe, expect, test } from 'vitest'
import { encodeLines } from '../../src/trace/write/encode.ts'
import { comparable } from '../../src/trace/index.ts'
import { machineChart, createSeededEntropy } from '../../src/services/runtime/index.ts'
import { coverage } from '../../src/services/replay/index.ts'
import { record } from '../../src/services/recording/index.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { randomChart } from '../harness/random-chart.ts'

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
  return recording.trace.steps.map(({ event, via }) => [
    event.type,
    ...(via ?? []).map(name => `${name} ${labels.get(name)}`),
  ])
}

describe('a step names', () => {
  test('the transition that it took, of several for the same event', () => {
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

  test('all transitions within it: raised events and eventless ones, also at the start', () => {
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

  test('those of all regions, but only one of two that would leave the same state', () => {
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
    expect(recording.trace.steps.map(({ via }) => via)).toEqual([
      undefined,
      ['inside.left.off#0', 'inside.right.off#0'],
      ['inside.left.on#0', 'inside.right.on#0'],
      ['inside.left.on#1'],
      ['outside#0'],
      ['inside.left.off#1'],
    ])
  })

  test('timers, responses and errors of children, each for the actor that took them', async () => {
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
    const { steps: records, actors } = recording.trace
    expect(records.flatMap(({ via, actor }) => (via ? [[actors[actor]?.path, ...via]] : []))).toEqual([
      ['root', 'asking#0'],
      ['root/child', 'a#0'],
      ['root', 'pausing#0'],
    ])
  })
})

test('in random machines transitions are named, and counted as often as they are taken', () => {
  let several = 0
  for (let seed = 0; seed < 100; seed++) {
    const { random } = createSeededEntropy(seed)
    const noted: string[] = []
    const machine = randomChart(random, name => noted.push(name))
    const recording = record(machine)
    recording.start()
    for (let n = 0; n < 20; n++)
      recording.actor.send({ type: ['x', 'y', 'z'][Math.floor(random() * 3)] ?? 'x' })
    const named = recording.trace.steps.map(({ via = [] }) => via)
    expect(named.flat(), `seed ${seed}`).toEqual(noted.filter(name => name.includes('#')))
    several += named.filter(({ length }) => length > 1).length
    // Nothing is noted in the replay: custom actions do not run there.
    const counts = countsOf(noted)
    const [covered] = coverage([recording.trace], { [recording.trace.header.system]: machine }).machines
    const found = [
      ...(covered?.states ?? []).map(({ path, entered }): [string, number] => [path, entered]),
      ...(covered?.transitions ?? []).map(({ name, taken }): [string, number] => [name, taken]),
    ]
    expect(new Map(found.filter(([, count]) => count > 0)), `seed ${seed}`).toEqual(counts)
  }
  expect(several).toBeGreaterThan(200)
})

function countsOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

test('a replay may take another path: comparison and hashes leave transitions out', () => {
  const machine = createMachine({ initial: 'a', states: { a: { on: { go: 'b' } }, b: {} } })
  const recording = record(machine)
  recording.start()
  recording.actor.send({ type: 'go' })
  const [, step] = recording.trace.steps
  if (!step) throw new Error('nothing happened')
  expect(step.via).toEqual(['a#0'])
  expect(comparable({ ...step, via: ['b#7'] })).toBe(comparable(step))
  const { via: _via, ...bare } = step
  const hashOf = (last: typeof step) => {
    const [start] = recording.trace.steps
    const lines = [...encodeLines({ ...recording.trace, steps: start ? [start, last] : [] })]
    return lines.filter(line => line.includes('"line":"hash"'))
  }
  expect(hashOf(step)).toEqual(hashOf(bare))
  expect(hashOf(step)).not.toEqual(hashOf({ ...step, status: 'done' }))
})
