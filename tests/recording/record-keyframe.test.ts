// Recordings that begin in the middle of a run: a keyframe restores the system, and the tail replays exactly.
import { assign, createActor, createMachine, fromCallback, sendTo, setup, spawnChild } from 'xstate'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createSeededEntropy } from '../../src/services/runtime/index.ts'
import { createRecorder, record } from '../../src/services/recording/index.ts'
import { ReplayRun, verify } from '../../src/services/replay/index.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { readTrace } from '../../src/trace/read/read-file.ts'
import type { ReplayableTrace } from '../../src/trace/index.ts'
import { createRandomRun, randomSystem } from '../harness/random-system.ts'
import { stepsOf } from '../harness/steps.ts'
import { testSeeds } from '../harness/volume.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())

async function decoded(file: Uint8Array): Promise<ReplayableTrace> {
  const read = await readTrace(file)
  if (read.kind !== 'trace') throw new Error(read.message)
  return read.trace
}

/** Records, stops, continues unrecorded, and records again. */
async function recordTail(seed: number) {
  const { recorder, drive, clock } = createRandomRun(seed, (seed % 11) / 10)
  recorder.start()
  await drive(5 + (seed % 17))
  recorder.stopRecording()
  const first = await decoded(await recorder.file())
  await drive(seed % 5)
  recorder.startRecording()
  await drive(15)
  await clock.advanceAsync(12)
  recorder.stop()
  await clock.advanceAsync(5)
  return { first, second: await decoded(await recorder.file()), live: recorder.trace }
}

describe('random runs, recorded from a point in the middle', () => {
  testSeeds('both parts replay exactly', { some: 11, all: 200 }, async seed => {
    const { first, second, live } = await recordTail(seed)
    expect(first.damage).toEqual([])
    expect(verify(first, randomSystem())).toMatchObject({ outcome: 'exact', compared: first.steps.length })
    expect(stepsOf(second)).toEqual(stepsOf(live))
    const run = new ReplayRun(second, randomSystem().random)
    run.start()
    for (const stimulus of second.stimuli) run.step(stimulus)
    expect(run.problems).toEqual([])
    expect(stepsOf(run.trace)).toEqual(stepsOf(second))
    expect(verify(second, randomSystem())).toMatchObject({
      outcome: 'exact',
      compared: second.steps.length,
    })
  })
})

test('the keyframes contained timers, active leaves, and actors with equal ids', async () => {
  let timers = 0
  let leaves = 0
  let ordinals = 0
  for (let seed = 1000; seed < 1030; seed++) {
    const { second } = await recordTail(seed)
    timers += second.keyframes[0]?.timers.length ?? 0
    leaves += second.keyframes[0]?.leaves.length ?? 0
    ordinals += second.actors.filter(({ path }) => path.includes('#')).length
  }
  expect(Math.min(timers, leaves, ordinals)).toBeGreaterThan(10)
})

test('a change after the keyframe is found', async () => {
  for (let seed = 1000; ; seed++) {
    const { second } = await recordTail(seed)
    if (!second.steps.some(step => step.event.type === 'late')) continue
    expect(verify(second, randomSystem(5)).outcome).toBe('diverged')
    const keyframes = second.keyframes.map(one => ({ ...one, timers: [], nextOrdinal: 0 }))
    expect(verify({ ...second, keyframes }, randomSystem()).outcome).toBe('diverged')
    return
  }
})

test('the recording begins with the current state of every actor', async () => {
  const { recorder, clock, drive } = createRandomRun(3)
  recorder.start()
  await drive(10)
  await clock.advanceAsync(1)
  recorder.startRecording()
  const { steps, actors, keyframes, stimuli } = recorder.trace
  expect(stimuli).toEqual([])
  expect(keyframes[0]?.actors).toBe(actors.length)
  expect(steps.map(({ actor, event, cause }) => ({ actor, event, cause }))).toEqual(
    actors.map(({ index }) => ({ actor: index, event: { type: 'chartroom.present' }, cause: -1 })),
  )
  expect(steps[0]?.value).toEqual(recorder.actor.getSnapshot().value)
  expect(steps[0]?.context).toEqual(recorder.actor.getSnapshot().context)
  expect(actors[0]).toEqual({ line: 'actor', index: 0, path: 'fleet', kind: 'machine', src: 'fleet' })
})

test('the recording ends at the stop, while the live view continues', async () => {
  const { recorder, drive } = createRandomRun(5)
  recorder.start()
  await drive(3)
  expect(recorder.isRecording()).toBe(true)
  recorder.stopRecording()
  expect(recorder.isRecording()).toBe(false)
  const held = recorder.trace.steps.length
  await drive(10)
  expect(recorder.trace.steps.length).toBeGreaterThan(held)
  expect((await decoded(await recorder.file())).steps).toHaveLength(held)
  recorder.startRecording()
  expect(recorder.isRecording()).toBe(true)
})

test.each(['before its start', 'after its end'])('a recording may begin %s', when => {
  const { recorder } = createRandomRun(2)
  const begin = () => {
    recorder.stopRecording()
    recorder.startRecording()
  }
  if (when === 'before its start') begin()
  recorder.start()
  recorder.send({ type: 'spawn', i: 0 })
  recorder.stop()
  if (when === 'after its end') begin()
  recorder.send({ type: 'load', i: 1 })
  expect(recorder.trace.steps.length).toBeGreaterThan(0)
  expect(verify(recorder.trace, randomSystem())).toMatchObject({
    outcome: 'exact',
    compared: recorder.trace.steps.length,
  })
})

test.each(['recording', 'actor'] as const)(
  'a system with a persisted snapshot is recorded from it, started by its %s',
  async by => {
    const lamp = createMachine({
      id: 'lamp',
      initial: 'dark',
      context: { count: 0 },
      states: { dark: { on: { go: 'lit' } }, lit: { after: { 10: 'dark' }, on: { go: 'dark' } } },
      on: { count: { actions: assign({ count: ({ context }) => context.count + 1 }) } },
    })
    const before = createActor(lamp).start()
    before.send({ type: 'go' })
    const snapshot = before.getPersistedSnapshot() as never
    for (const steps of [true, false]) {
      const recording = record(lamp, { snapshot, steps, clock: createVirtualClock() })
      if (by === 'recording') recording.start()
      else recording.actor.start()
      recording.actor.start()
      recording.actor.send({ type: 'count' })
      recording.actor.send({ type: 'go' })
      expect(recording.actor.getSnapshot()).toMatchObject({ value: 'dark', context: { count: 1 } })
      const trace = await decoded(await recording.file())
      expect(trace.keyframes[0]).toMatchObject({ at: 0, snapshot: { value: 'lit' } })
      expect(trace.stimuli).toHaveLength(2)
      expect(verify(trace, { lamp })).toMatchObject({ outcome: 'exact', damage: [] })
    }
  },
)

test('a leaf that failed before the keyframe and still sends is heard again', () => {
  const clock = createVirtualClock()
  const compose = () => {
    const grumbler = fromCallback<{ type: 'poke' }>(({ sendBack, receive }) => {
      const grumble = () => {
        sendBack({ type: 'grumble' })
        clock.setTimeout(grumble, 10)
      }
      grumble()
      receive(() => {
        throw new Error('broke')
      })
    })
    return setup({
      types: { context: {} as { heard: number } },
      actors: { grumbler },
    }).createMachine({
      id: 'house',
      context: { heard: 0 },
      on: { grumble: { actions: assign({ heard: ({ context }) => context.heard + 1 }) } },
      initial: 'open',
      states: {
        open: {
          invoke: { src: 'grumbler', id: 'grumbler', onError: 'shut' },
          on: { poke: { actions: sendTo('grumbler', { type: 'poke' }) } },
        },
        shut: { after: { 1000: 'open' } },
      },
    })
  }
  const recorder = createRecorder({
    system: 'house',
    appVersion: '1',
    clock,
    entropy: createSeededEntropy(1),
    compose,
  })
  recorder.start()
  recorder.send({ type: 'poke' })
  clock.advance(15)
  recorder.startRecording()
  clock.advance(20)
  expect(recorder.actor.getSnapshot().context).toEqual({ heard: 4 })
  const { trace } = recorder
  expect(trace.stimuli.map(({ from }) => trace.actors[from ?? -1]?.path)).toEqual([
    'house/grumbler',
    'house/grumbler',
  ])
  expect(verify(trace, { house: compose })).toMatchObject({ outcome: 'exact', compared: 3 })
})

test('actors without a parent are reported, since they cannot be restored', async () => {
  const child = createMachine({ id: 'child' })
  const parent = setup({ types: { context: {} as { n: number } }, actors: { child } }).createMachine({
    id: 'parent',
    context: { n: 0 },
    on: {
      twin: { actions: [spawnChild('child', { id: 'same' }), assign({ n: ({ context }) => context.n + 1 })] },
      poke: { actions: sendTo('same', { type: 'poke' }) },
    },
  })
  const clock = createVirtualClock()
  const compose = () => parent
  const recorder = createRecorder({
    system: 'twins',
    appVersion: '1',
    clock,
    entropy: createSeededEntropy(1),
    compose,
  })
  recorder.start()
  recorder.send({ type: 'twin' })
  recorder.send({ type: 'twin' })
  expect(verify(recorder.trace, { twins: compose }).outcome).toBe('exact')
  recorder.startRecording()
  recorder.send({ type: 'poke' })
  expect(verify(recorder.trace, { twins: compose })).toMatchObject({
    outcome: 'unusable',
    reason: 'it begins during a run, with actors that no parent references: parent/same',
  })
})
