// Coverage by replay: what is counted for every kind of state, transition and guard, and what is not.
import { and, assign, createMachine, not, or, setup, stateIn } from 'xstate'
import type { AnyActorLogic, AnyMachineSnapshot, AnyStateMachine } from 'xstate'
import { describe, expect, test } from 'vitest'
import { coverage } from '../../src/services/replay/coverage/coverage.ts'
import { record, type Recording } from '../../src/services/recording/index.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import type { CoverageReport } from '../../src/trace/index.ts'

/** Records these events. */
function run(machine: AnyStateMachine, ...events: readonly string[]): Recording<AnyStateMachine> {
  const recording = record(machine)
  recording.start()
  for (const type of events) recording.actor.send({ type })
  return recording
}

/** Counts of one machine in short form: state paths, transition names, guards as `name [guard] part`. */
function counts({ machines }: CoverageReport, id: string) {
  const machine = machines.find(one => one.id === id)
  if (!machine) throw new Error(`${id} is not in the report`)
  return {
    states: Object.fromEntries(machine.states.map(({ path, entered }) => [path, entered])),
    transitions: Object.fromEntries(machine.transitions.map(({ name, taken }) => [name, taken])),
    guards: Object.fromEntries(
      machine.guards.map(({ transition, guard, part, passed, failed }) => [
        [transition, `[${guard}]`, ...(part === undefined ? [] : [part])].join(' '),
        [passed, failed],
      ]),
    ),
  }
}

describe('counts', () => {
  test('states that are left within the step, and reentered ones', () => {
    const machine = createMachine({
      id: 'm',
      initial: 'first',
      states: {
        first: { always: 'inner' },
        inner: {
          initial: 'a',
          on: { again: { target: 'inner', reenter: true }, within: '.b', stay: {}, back: 'back' },
          states: { a: { on: { go: 'b' } }, b: { always: 'c' }, c: {}, h: { type: 'history' } },
        },
        back: { always: 'inner.h' },
        never: {},
      },
    })
    const { trace } = run(machine, 'go', 'again', 'stay', 'within', 'back')
    expect(counts(coverage([trace], { m: machine }), 'm')).toEqual({
      states: { '': 1, first: 1, inner: 3, 'inner.a': 2, 'inner.b': 2, 'inner.c': 3, back: 1, never: 0 },
      transitions: {
        'first#0': 1,
        'inner#0': 1,
        'inner#1': 1,
        'inner#2': 1,
        'inner#3': 1,
        'inner.a#0': 1,
        'inner.b#0': 2,
        'back#0': 1,
      },
      guards: {},
    })
  })

  test('parallel and final states, done, after, responses, errors, wildcards', () => {
    const machine = setup({
      actors: {
        child: createMachine({
          id: 'child',
          initial: 'a',
          states: { a: { after: { 5: 'b' } }, b: { type: 'final' } },
        }),
      },
    }).createMachine({
      id: 'm',
      initial: 'both',
      states: {
        both: {
          type: 'parallel',
          onDone: 'asking',
          states: {
            left: { initial: 'a', states: { a: { on: { go: 'z' } }, z: { type: 'final' } } },
            right: { initial: 'a', states: { a: { on: { 'go.*': 'z', go: 'z' } }, z: { type: 'final' } } },
          },
        },
        asking: { invoke: { src: 'child', onDone: 'waiting', onError: 'both' } },
        waiting: { after: { 1000: 'both' }, on: { '*': 'over' } },
        over: {},
      },
    })
    const clock = createVirtualClock()
    const recording = record(machine, { clock })
    recording.start()
    recording.actor.send({ type: 'go' })
    clock.advance(10)
    recording.actor.send({ type: 'what' } as never)
    const report = coverage([recording.trace], { m: machine })
    expect(counts(report, 'child')).toEqual({
      states: { '': 1, a: 1, b: 1 },
      transitions: { 'a#0': 1 },
      guards: {},
    })
    expect(counts(report, 'm').transitions).toEqual({
      'both#0': 1,
      'both.left.a#0': 1,
      'both.right.a#0': 0,
      'both.right.a#1': 1,
      'asking#0': 1,
      'asking#1': 0,
      'waiting#0': 1,
      'waiting#1': 0,
    })
    expect(report.machines.find(({ id }) => id === 'm')?.missing).toEqual({
      states: [],
      transitions: ['both.right.a#0', 'asking#1', 'waiting#1'],
      guards: [],
    })
  })

  test('both outcomes of every guard and guard part, also where they are not evaluated', () => {
    const machine = setup({
      types: { context: {} as { n: number } },
      guards: {
        isTrue: () => true,
        isFalse: () => false,
        isMore: ({ context }: { context: { n: number } }, { than }: { than: number }) => context.n > than,
        isBoth: and(['isTrue', 'isFalse']),
      },
    }).createMachine({
      id: 'm',
      context: { n: 3 },
      initial: 'a',
      states: {
        a: {
          on: {
            named: [{ guard: 'isFalse', target: 'b' }, { guard: { type: 'isMore', params: { than: 2 } } }],
            inline: {
              guard: function isOdd({ context }) {
                return context.n % 2 === 1
              },
            },
            combined: { guard: and(['isTrue', or([not('isTrue'), 'isFalse', 'isTrue'])]), target: 'b' },
            short: [{ guard: or(['isTrue', 'isFalse']) }],
            by: { guard: 'isBoth' },
            at: { guard: stateIn('b') },
          },
        },
        b: {},
      },
    })
    const before = machine.states.a?.on['named']?.map(({ guard }) => guard)
    const { trace } = run(machine, 'named', 'inline', 'short', 'by', 'at', 'combined')
    expect(counts(coverage([trace], { m: machine }), 'm').guards).toEqual({
      'a#0 [isFalse]': [0, 1],
      'a#1 [isMore]': [1, 0],
      'a#2 [isOdd]': [1, 0],
      'a#3 [and(isTrue, or(not(isTrue), isFalse, isTrue))]': [1, 0],
      'a#3 [isTrue] 0': [1, 0],
      'a#3 [or(not(isTrue), isFalse, isTrue)] 1': [1, 0],
      'a#3 [not(isTrue)] 1.0': [0, 1],
      'a#3 [isTrue] 1.0.0': [1, 0],
      'a#3 [isFalse] 1.1': [0, 1],
      'a#3 [isTrue] 1.2': [1, 0],
      'a#4 [or(isTrue, isFalse)]': [1, 0],
      'a#4 [isTrue] 0': [1, 0],
      'a#4 [isFalse] 1': [0, 0],
      'a#5 [isBoth]': [0, 1],
      'a#5 [isTrue] 0': [1, 0],
      'a#5 [isFalse] 1': [0, 1],
      'a#6 [stateIn]': [0, 1],
    })
    // The machine belongs to the caller and is not modified.
    expect(machine.states.a?.on['named']?.map(({ guard }) => guard)).toEqual(before)
    expect(coverage([trace], { m: machine })).toEqual(coverage([trace], { m: machine }))
  })

  test('all instances of a machine, and machines known only from code or never run', () => {
    const worker = createMachine({
      id: 'worker',
      initial: 'idle',
      states: { idle: { on: { work: 'busy' } }, busy: {} },
    })
    const hidden = createMachine({ id: 'hidden', initial: 'a', states: { a: { always: 'b' }, b: {} } })
    const spare = createMachine({ id: 'spare', initial: 'a', states: { a: {} } })
    const machine = setup({ actors: { worker, spare } }).createMachine({
      id: 'm',
      invoke: [
        { src: 'worker', id: 'one' },
        { src: 'worker', id: 'two' },
      ],
      on: { show: { actions: assign(({ spawn }) => ({ held: spawn(hidden) })) } },
    })
    const recording = run(machine as AnyStateMachine)
    const snapshot = recording.actor.getSnapshot() as AnyMachineSnapshot
    snapshot.children['one']?.send({ type: 'work' })
    recording.actor.send({ type: 'show' })
    const report = coverage([recording.trace], { m: machine as AnyActorLogic })
    expect(report.machines.map(({ id }) => id)).toEqual(['hidden', 'm', 'spare', 'worker'])
    expect(counts(report, 'worker').states).toEqual({ '': 2, idle: 2, busy: 1 })
    expect(counts(report, 'hidden')).toEqual({
      states: { '': 1, a: 1, b: 1 },
      transitions: { 'a#0': 1 },
      guards: {},
    })
    expect(counts(report, 'spare').states).toEqual({ '': 0, a: 0 })
  })
})
