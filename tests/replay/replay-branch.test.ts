// Branches: a recording continues live from any record, and the new recording replays exactly.
import { assign, fromCallback, fromPromise, setup } from 'xstate'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { composeClient } from '../../src/services/client/index.ts'
import { createSeededEntropy, type SystemParts } from '../../src/services/runtime/index.ts'
import { record } from '../../src/services/recording/index.ts'
import { branch, createReplay, verify } from '../../src/services/replay/index.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { readTrace } from '../../src/trace/read/read-file.ts'
import { createRandomLeaves } from '../harness/random-leaves.ts'
import { composeRandom, createRandomRun } from '../harness/random-system.ts'
import { stormyRun } from '../harness/recorded-run.ts'
import { healthy, scriptedPorts } from '../harness/scripted-ports.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())

/** A lamp that can be asked for its brightness, and turns off after a delay. */
function lamp(measure: (n: number) => number | Promise<number>) {
  const starts: string[] = []
  const machine = setup({
    types: { context: {} as { lit: number; lux: number }, events: {} as { type: 'on' | 'off' | 'look' } },
    actors: {
      measure: fromPromise(({ input }: { input: { n: number } }) => {
        starts.push(`measure ${input.n}`)
        return Promise.resolve(measure(input.n))
      }),
      hum: fromCallback(() => {
        starts.push('hum')
        return () => void starts.push('hum ends')
      }),
    },
  }).createMachine({
    id: 'lamp',
    context: { lit: 0, lux: 0 },
    initial: 'dark',
    states: {
      dark: { on: { on: { target: 'lit', actions: assign({ lit: ({ context }) => context.lit + 1 }) } } },
      lit: {
        invoke: [
          { id: 'hum', src: 'hum' },
          {
            id: 'measure',
            src: 'measure',
            input: ({ context }) => ({ n: context.lit }),
            onDone: { actions: assign({ lux: ({ event }) => event.output }) },
          },
        ],
        after: { 100: 'dark' },
        on: { off: 'dark', look: {} },
      },
    },
  })
  return { machine, starts }
}

test('running effects start again, and timers are set to their remaining time', async () => {
  const clock = createVirtualClock()
  const { actor, trace } = record(lamp(() => new Promise(() => undefined)).machine, { clock })
  actor.start()
  actor.send({ type: 'on' })
  await clock.advanceAsync(70)
  actor.send({ type: 'look' })
  await clock.advanceAsync(1000)
  expect(actor.getSnapshot().value).toBe('dark')

  const again = lamp(n => n * 100)
  const later = createVirtualClock()
  const { recording, notes } = branch(trace, { lamp: again.machine }, { at: 2, clock: later })
  expect(notes).toEqual([])
  expect(again.starts).toEqual(['hum', 'measure 1'])
  expect(recording.actor.getSnapshot()).toMatchObject({ value: 'lit', context: { lit: 1, lux: 0 } })
  await later.advanceAsync(29)
  expect(recording.actor.getSnapshot()).toMatchObject({ value: 'lit', context: { lit: 1, lux: 100 } })
  await later.advanceAsync(1)
  expect(recording.actor.getSnapshot().value).toBe('dark')
  expect(again.starts).toEqual(['hum', 'measure 1', 'hum ends'])
  recording.actor.send({ type: 'on' })
  expect(again.starts.slice(3)).toEqual(['hum', 'measure 2'])
  const { header } = trace
  expect(recording.trace.header.branchOf).toEqual({ system: 'lamp', startedAt: header.startedAt, at: 2 })
  expect(verify(recording.trace, { lamp: again.machine })).toMatchObject({
    outcome: 'exact',
    compared: recording.trace.steps.length,
  })
})

test('earlier edits are applied first, and one that finds no place is reported', async () => {
  const clock = createVirtualClock()
  const { actor, trace } = record(lamp(() => 7).machine, { clock })
  actor.start()
  actor.send({ type: 'on' })
  await clock.advanceAsync(10)
  actor.send({ type: 'look' })
  const { recording, notes } = branch(
    trace,
    { lamp: lamp(() => 9).machine },
    {
      edits: [
        { edit: 'insert', before: 0, event: { type: 'on' } },
        { edit: 'insert', before: 0, event: { type: 'off' } },
        { edit: 'drop', seq: 99 },
        { edit: 'change', seq: 2, event: { type: 'off' } },
      ],
      clock: createVirtualClock(),
    },
  )
  expect(recording.actor.getSnapshot()).toMatchObject({ value: 'dark', context: { lit: 2, lux: 7 } })
  expect(notes).toEqual(['no input #99 to drop'])
})

describe('random systems', () => {
  test.each([0, 1, 2, 3])('branch %i of four continues as a recording that replays exactly', async part => {
    for (let seed = part * 4; seed < part * 4 + 4; seed++) {
      const run = createRandomRun(seed, 0.3)
      run.recorder.start()
      await run.drive(25)
      const { trace } = run.recorder
      const clock = createVirtualClock()
      const leaves = createRandomLeaves(clock, createSeededEntropy(seed + 9), 0.3)
      const systems = { random: (parts: SystemParts) => composeRandom(leaves, parts) }
      const replay = createReplay(trace, systems)
      replay.stepTo(Math.floor((trace.stimuli.length * (seed % 7)) / 7))
      const { recording } = replay.branch({ clock, entropy: createSeededEntropy(seed) })
      const { keyframes } = recording.trace
      expect(keyframes[0]?.unreachable).toEqual([])
      for (let i = 0; i < 10; i++) {
        recording.actor.send({ type: (['load', 'spawn', 'boom', 'feed', 'race'] as const)[i % 5], i })
        await clock.advanceAsync(i)
      }
      recording.stop()
      const read = await readTrace(await recording.file())
      if (read.kind !== 'trace') throw new Error(read.message)
      expect(read.trace.header.branchOf?.at).toBe(replay.position)
      expect(read.trace.steps.length).toBeGreaterThan(20)
      expect(verify(read.trace, systems)).toMatchObject({
        outcome: 'exact',
        compared: recording.trace.steps.length,
      })
    }
  })
})

test('the client continues from the middle of a storm, in calm weather', () => {
  for (const seed of [1, 2]) {
    const { trace } = stormyRun(seed)
    for (const part of [0.3, 0.8]) {
      const at = Math.floor(trace.stimuli.length * part)
      const clock = createVirtualClock()
      clock.advance(trace.stimuli[at]?.t ?? 0)
      const { ports } = scriptedPorts(clock, healthy(clock))
      const systems = { chartroom: () => composeClient(ports) }
      const { recording, notes } = branch(trace, systems, { at, clock })
      expect(notes).toEqual([])
      clock.advance(600_000)
      recording.actor.send({ type: 'session.signIn', attempt: 'branch' })
      clock.advance(60_000)
      expect(recording.actor.getSnapshot().status).toBe('active')
      expect(verify(recording.trace, systems)).toMatchObject({
        outcome: 'exact',
        compared: recording.trace.steps.length,
      })
    }
  }
})

test('fails with a message where the system cannot be restored', () => {
  const { trace } = stormyRun(1, 5)
  expect(() => branch(trace, {})).toThrow('unknown system "chartroom"; known here: none')
})
