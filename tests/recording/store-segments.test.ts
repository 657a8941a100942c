// Recordings in segments: the oldest are dropped, and the rest begins with a keyframe and replays exactly.
import { assign, fromCallback, setup, spawnChild } from 'xstate'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createSeededEntropy } from '../../src/services/runtime/index.ts'
import {
  createRecorder,
  record,
  createRing,
  createSegments,
  type RingOptions,
} from '../../src/services/recording/index.ts'
import { ReplayRun, verify } from '../../src/services/replay/index.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { readTrace } from '../../src/trace/read/read-file.ts'
import { encodeFile } from '../../src/trace/write/encode.ts'
import type { ReplayableTrace } from '../../src/trace/index.ts'
import { createRandomRun, randomSystem } from '../harness/random-system.ts'
import { stepsOf } from '../harness/steps.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())

const filed = async (trace: ReplayableTrace): Promise<ReplayableTrace> => {
  const read = await readTrace(await encodeFile(trace))
  if (read.kind !== 'trace') throw new Error(read.message)
  return read.trace
}

/** Subscribers of a recording are notified of its steps once per task. */
const flush = () => new Promise<void>(resolve => setTimeout(resolve, 0))

function segmentedRun(seed: number, ring: RingOptions = {}) {
  const { recorder, clock, drive } = createRandomRun(seed, (seed % 11) / 10)
  const segments = createSegments(recorder, clock.now, ring)
  recorder.start()
  return { recorder, clock, drive, segments }
}

const isExact = (trace: ReplayableTrace) =>
  expect(verify(trace, randomSystem())).toMatchObject({ outcome: 'exact', compared: trace.steps.length })

describe('30 random runs in four segments each', () => {
  test.each([3000, 3010, 3020])('runs %i and the nine after it replay as a whole', async from => {
    for (let seed = from; seed < from + 10; seed++) {
      const { recorder, clock, drive, segments } = segmentedRun(seed)
      for (let part = 0; part < 3; part++) {
        await drive(4 + (seed % 7))
        segments.renew()
      }
      await drive(8)
      recorder.stop()
      await clock.advanceAsync(5)
      expect(segments.list().map(({ number }) => number)).toEqual([0, 1, 2, 3])
      const trace = await filed(segments.recorded())
      expect(trace.damage).toEqual([])
      expect(trace.keyframes).toHaveLength(3)
      expect(stepsOf(trace)).toEqual(stepsOf(segments.trace))
      isExact(trace)
    }
  })

  test('replay can begin at the keyframes between the segments', async () => {
    const { drive, segments } = segmentedRun(12)
    await drive(20)
    segments.renew()
    await drive(20)
    const trace = await filed(segments.recorded())
    const [keyframe] = trace.keyframes
    const run = new ReplayRun(trace, randomSystem().random, { from: keyframe })
    run.start()
    for (const stimulus of trace.stimuli.slice(keyframe?.at)) run.step(stimulus)
    expect(run.problems).toEqual([])
    expect(stepsOf(run.trace)).toEqual(stepsOf(trace).slice(keyframe?.steps))
  })
})

describe('a ring', () => {
  test('keeps at least the given number of stimuli, and up to a quarter more', async () => {
    const { drive, segments } = segmentedRun(21, { stimuli: 80 })
    const { trace } = segments
    const early = trace.steps
    let steps = 0
    for (let part = 0; part < 60; part++) {
      await drive(10)
      await flush()
      steps = Math.max(steps, segments.recorded().stimuli.length)
    }
    expect(segments.list()[0]?.number).toBeGreaterThan(5)
    expect(segments.list().length).toBeLessThanOrEqual(6)
    expect(steps).toBeLessThan(200)
    expect(trace.steps).not.toBe(early)
    const file = await filed(segments.recorded())
    expect(file.stimuli.length).toBeGreaterThanOrEqual(80)
    expect(file.keyframes[0]?.at).toBe(0)
    expect(file.steps[0]?.event.type).toBe('chartroom.present')
    expect(stepsOf(file)).toEqual(stepsOf(trace))
    isExact(file)
  })

  test('keeps the last minutes, and a quarter more', async () => {
    const { drive, clock, segments } = segmentedRun(22, { minutes: 0.002 })
    for (let part = 0; part < 40; part++) {
      await drive(3)
      await clock.advanceAsync(10)
      await flush()
    }
    const [first] = segments.list()
    const held = clock.now() - (first?.at ?? 0)
    expect(held).toBeGreaterThanOrEqual(120)
    expect(held).toBeLessThan(120 * 1.5)
    const file = await filed(segments.recorded())
    expect(file.steps[0]?.t).toBe(0)
    expect(file.stimuli.at(-1)?.t).toBeGreaterThan(80)
    expect(file.stimuli.at(-1)?.t).toBeLessThan(120 * 1.5)
    isExact(file)
  })

  test("readers' lists only grow until a segment is dropped", async () => {
    const { drive, segments } = segmentedRun(23, { stimuli: 400 })
    const { steps } = segments.trace
    for (let part = 0; part < 8; part++) {
      await drive(10)
      await flush()
    }
    expect(segments.list().length).toBeGreaterThan(1)
    expect(segments.trace.steps).toBe(steps)
    expect(steps.map(({ seq }) => seq)).toEqual(steps.map((_, at) => at))
  })
})

describe('stop and start', () => {
  test('the recording ends at the stop; a start drops it', async () => {
    const { drive, segments } = segmentedRun(31)
    await drive(10)
    segments.renew()
    await drive(10)
    segments.stop()
    const held = segments.recorded().steps.length
    await drive(10)
    expect(segments.isRecording()).toBe(false)
    expect(segments.trace.steps.length).toBeGreaterThan(held)
    expect((await filed(segments.recorded())).steps).toHaveLength(held)
    isExact(await filed(segments.recorded()))

    segments.start()
    expect(segments.isRecording()).toBe(true)
    expect(segments.run()).toBe(1)
    await drive(10)
    const file = await filed(segments.recorded())
    expect(file.keyframes[0]?.at).toBe(0)
    expect(file.stimuli[0]?.t).toBeLessThan(10)
    isExact(file)
  })
})

describe('a system that cannot be restored', () => {
  const child = setup({ actors: { noise: fromCallback(() => undefined) } }).createMachine({
    id: 'child',
    invoke: { src: 'noise' },
  })
  /**
   * A second child with the same id leaves the first one running without a parent reference, until both are
   * stopped.
   */
  const parent = setup({ actors: { child } }).createMachine({
    id: 'parent',
    initial: 'on',
    states: {
      on: { entry: [spawnChild('child', { id: 'same' }), spawnChild('child', { id: 'same' })] },
      off: {},
    },
    on: { poke: {} },
  })
  const twins = (ring: RingOptions) => {
    const clock = createVirtualClock()
    const recorder = createRecorder({
      system: 'twins',
      appVersion: '1',
      clock,
      entropy: createSeededEntropy(1),
      compose: () => parent,
    })
    const segments = createSegments(recorder, clock.now, ring)
    recorder.start()
    return { recorder, segments }
  }
  const poke = async (recorder: ReturnType<typeof twins>['recorder'], times: number) => {
    for (let n = 0; n < times; n++) {
      recorder.send({ type: 'poke' })
      await flush()
    }
  }

  test('is not cut: the recording continues as it began', async () => {
    const { recorder, segments } = twins({ stimuli: 40 })
    await poke(recorder, 60)
    expect(segments.list().map(({ number }) => number)).toEqual([0])
    const file = await filed(segments.recorded())
    expect(verify(file, { twins: () => parent })).toMatchObject({ outcome: 'exact' })
  })

  test('until it is twice the limit: memory is bounded, and the trace says what is missing', async () => {
    const { recorder, segments } = twins({ stimuli: 40 })
    await poke(recorder, 100)
    expect(segments.list().map(({ number }) => number)).toEqual([1])
    const report = verify(await filed(segments.recorded()), { twins: () => parent })
    expect(report).toMatchObject({
      outcome: 'unusable',
      reason: expect.stringContaining('actors that no parent references: parent/same') as string,
    })
  })
})

test('createRing works for any recorded system', async () => {
  const counter = setup({ types: { context: {} as { n: number } } }).createMachine({
    id: 'counter',
    context: { n: 0 },
    on: { add: { actions: assign({ n: ({ context }) => context.n + 1 }) } },
  })
  const recording = record(counter)
  const ring = createRing(recording, { stimuli: 20 })
  recording.actor.start()
  for (let n = 0; n < 100; n++) {
    recording.actor.send({ type: 'add' })
    await flush()
  }
  const read = await readTrace(await ring.file())
  if (read.kind !== 'trace') throw new Error(read.message)
  expect(read.trace.stimuli.length).toBeGreaterThanOrEqual(20)
  expect(read.trace.stimuli.length).toBeLessThan(40)
  expect(read.trace.steps.at(-1)?.context).toEqual({ n: 100 })
  expect(verify(read.trace, { counter })).toMatchObject({ outcome: 'exact' })
  const other = { trace: recording.trace, startRecording: () => undefined }
  expect(() => createRing(other, {})).toThrow(
    new TypeError('createRing needs a recording from `record` or `createRecorder`.'),
  )
})

test('logic that cannot be persisted makes its recording continue', async () => {
  const mute = {
    ...fromCallback(() => undefined),
    getPersistedSnapshot: () => {
      throw new Error('no')
    },
  }
  const machine = setup({ actors: { mute } }).createMachine({ invoke: { src: 'mute', id: 'mute' } })
  const clock = createVirtualClock()
  const recorder = createRecorder({
    system: 'mute',
    appVersion: '1',
    clock,
    entropy: createSeededEntropy(1),
    compose: () => machine,
  })
  const segments = createSegments(recorder, clock.now, { stimuli: 8 })
  recorder.start()
  for (let n = 0; n < 30; n++) {
    recorder.send({ type: 'poke' })
    await flush()
  }
  expect(segments.list()).toHaveLength(1)
  expect(verify(await filed(segments.recorded()), { mute: () => machine })).toMatchObject({
    outcome: 'exact',
  })
})
