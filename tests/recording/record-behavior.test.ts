// What the recorder promises in addition to exactness: it changes nothing, never throws into the system, and
// records causes.
import {
  assign,
  createActor,
  createMachine,
  fromCallback,
  fromObservable,
  fromPromise,
  fromTransition,
  sendParent,
  setup,
  type AnyMachineSnapshot,
  type AnyStateMachine,
} from 'xstate'
import { Observable } from 'rxjs'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createSeededEntropy, type SystemParts } from '../../src/services/runtime/index.ts'
import { logicKind, createRecorder, XSTATE_VERSION } from '../../src/services/recording/index.ts'
import { verify } from '../../src/services/replay/index.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { createRandomLeaves } from '../harness/random-leaves.ts'
import { composeRandom, createRandomRun } from '../harness/random-system.ts'

import xstate from 'xstate/package.json' with { type: 'json' }

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())

function record<M extends AnyStateMachine>(compose: (parts: SystemParts) => M) {
  const clock = createVirtualClock()
  const options = { system: 'test', appVersion: '1', clock, entropy: createSeededEntropy(1) }
  const recorder = createRecorder({ ...options, compose })
  return { recorder, clock }
}

test('the pinned XState is the version that traces name', () => {
  expect(XSTATE_VERSION).toBe(xstate.version)
})

test('the recorded system behaves as it does unrecorded', async () => {
  for (let seed = 0; seed < 20; seed++) {
    const clock = createVirtualClock()
    const leaves = createRandomLeaves(clock, createSeededEntropy(seed + 1), 0.3)
    const entropy = createSeededEntropy(seed + 2)
    const env = { now: clock.now, random: entropy.random, id: entropy.id }
    const parts: SystemParts = { env }
    const bare = createActor(composeRandom(leaves, parts), { clock })
    const recorded = createRandomRun(seed, 0.3)
    const seen: unknown[][] = [[], []]
    const note = (into: unknown[] | undefined) => (snapshot: AnyMachineSnapshot) =>
      void into?.push([snapshot.value, { ...(snapshot.context as object), heir: undefined }])
    bare.subscribe({ next: note(seen[0]), error: () => undefined })
    recorded.recorder.actor.subscribe({ next: note(seen[1]), error: () => undefined })
    bare.start()
    recorded.recorder.start()
    const commands = [
      'load',
      'spawn',
      'feed',
      'race',
      'boom',
      'heir',
      'load',
      'feed',
      'drop',
      'race',
    ] as const
    for (const [i, type] of commands.entries()) {
      bare.send({ type, i })
      recorded.recorder.send({ type, i })
      await clock.advanceAsync(i % 4)
      await recorded.clock.advanceAsync(i % 4)
    }
    expect(seen[0]?.length).toBeGreaterThan(15)
    expect(seen[1]).toEqual(seen[0])
  }
})

describe('kinds of logic', () => {
  test.each([
    ['promise', fromPromise(() => Promise.reject(new Error('not run')))],
    [
      'callback',
      fromCallback(() => {
        throw new Error('not run')
      }),
    ],
    ['observable', fromObservable(() => new Observable<number>())],
    ['other', fromTransition(state => state, {})],
    ['machine', createMachine({})],
  ])('%s is detected from the logic object', (kind, logic) => {
    expect(logicKind(logic)).toBe(kind)
  })
})

test('a send from a subscriber waits for the end of the step, and replays', () => {
  const compose = () =>
    setup({ types: { context: {} as { log: string[] }, events: {} as { type: string } } }).createMachine({
      id: 'echo',
      context: { log: [] },
      on: { '*': { actions: assign({ log: ({ context, event }) => [...context.log, event.type] }) } },
    })
  const { recorder } = record(compose)
  recorder.actor.subscribe(({ context }) => {
    if (context.log.length === 1) recorder.send({ type: 'by handle' })
    if (context.log.length === 2) recorder.actor.send({ type: 'past the handle' })
  })
  recorder.start()
  recorder.send({ type: 'first' })
  expect(recorder.actor.getSnapshot().context.log).toEqual(['first', 'by handle', 'past the handle'])
  expect(recorder.trace.stimuli.map(({ kind, event }) => [kind, event])).toEqual([
    ['external', { type: 'first' }],
    ['external', { type: 'by handle' }],
    ['external', { type: 'past the handle' }],
  ])
  expect(verify(recorder.trace, { test: compose }).outcome).toBe('exact')
})

test('steps name the sender of the event, its step, and the stimulus that caused it', () => {
  const child = setup({ types: { events: {} as { type: 'poke' } } }).createMachine({
    id: 'child',
    on: { poke: { actions: sendParent({ type: 'ouch' }) } },
  })
  const compose = () =>
    setup({ types: { events: {} as { type: 'go' } | { type: 'ouch' } }, actors: { child } }).createMachine({
      id: 'root',
      invoke: { src: 'child', id: 'kid' },
      on: {
        go: { actions: ({ self }) => self.getSnapshot().children['kid']?.send({ type: 'poke' }) },
        ouch: {},
      },
    })
  const { recorder } = record(compose)
  recorder.start()
  recorder.send({ type: 'go' })
  const brief = recorder.trace.steps.map(({ actor, event, from, cause, by }) => [
    actor,
    event.type,
    from,
    cause,
    by,
  ])
  expect(recorder.trace.actors.map(({ path }) => path)).toEqual(['root', 'root/kid'])
  expect(brief).toEqual([
    [0, 'xstate.init', undefined, -1, undefined],
    [1, 'xstate.init', 0, -1, 0],
    [0, 'go', undefined, 0, undefined],
    [1, 'poke', undefined, 1, undefined],
    [0, 'ouch', 1, 1, 3],
  ])
  expect(verify(recorder.trace, { test: compose }).outcome).toBe('exact')
})

test('an action that throws appears as the error of its actor', () => {
  const compose = () =>
    setup({
      actions: {
        fail: () => {
          throw new RangeError('too far')
        },
      },
    }).createMachine({ id: 'brittle', on: { go: { actions: 'fail' } } })
  const { recorder } = record(compose)
  recorder.actor.subscribe({ error: () => undefined })
  recorder.start()
  recorder.send({ type: 'go' })
  expect(recorder.trace.steps.at(-1)).toEqual({
    line: 'step',
    seq: 1,
    t: 0,
    actor: 0,
    event: { type: 'go' },
    cause: 0,
    status: 'error',
    value: {},
    context: {},
    error: new RangeError('too far'),
    outputs: [{ kind: 'action', name: 'fail' }],
    changed: true,
  })
  expect(verify(recorder.trace, { test: compose }).outcome).toBe('exact')
})

test('subscribers are notified once for many appends, and not after they unsubscribed', async () => {
  const { recorder, drive } = createRandomRun(1)
  const listener = vi.fn<() => void>()
  const unsubscribe = recorder.trace.subscribe(listener)
  const before = recorder.trace.version()
  recorder.start()
  recorder.send({ type: 'load', i: 0 })
  recorder.send({ type: 'cancel', i: 1 })
  expect(listener).not.toHaveBeenCalled()
  expect(recorder.trace.version()).toBeGreaterThan(before)
  await vi.waitFor(() => expect(listener).toHaveBeenCalledTimes(1))
  unsubscribe()
  await drive(3)
  expect(listener).toHaveBeenCalledTimes(1)
})

test('records are append-only and immutable while a recording runs', async () => {
  const { recorder, drive } = createRandomRun(8)
  recorder.start()
  await drive(5)
  const { steps } = recorder.trace
  const held = [...steps]
  await drive(5)
  expect(recorder.trace.steps).toBe(steps)
  expect(steps.length).toBeGreaterThan(held.length)
  held.forEach((step, at) => expect(steps[at]).toBe(step))
  recorder.startRecording()
  expect(recorder.trace.steps).not.toBe(steps)
})
