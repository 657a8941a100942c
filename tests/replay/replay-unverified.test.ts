// A recording with nothing to compare is unverified, wherever the outcome of a replay is used.
import { assign, createMachine } from 'xstate'
import { describe, expect, test } from 'vitest'
import { encodeLines } from '../../src/trace/write/encode.ts'
import { readTrace } from '../../src/trace/read/read-file.ts'
import type { ReplayableTrace } from '../../src/trace/index.ts'
import { record } from '../../src/services/recording/index.ts'
import { coverage, drive, failsWhen, minimize, verify } from '../../src/services/replay/index.ts'
import { matchers } from '../../src/testing/matchers.ts'

// Reads the clock directly, so that a replay that compares must diverge.
const machine = createMachine({
  id: 'clock',
  context: () => ({ at: performance.now() }),
  on: { tick: { actions: assign({ at: () => performance.now() }) } },
})
const systems = { clock: machine }

async function read(lines: Iterable<string>): Promise<ReplayableTrace> {
  const result = await readTrace([...lines].join('\n'))
  if (result.kind !== 'trace') throw new Error(result.message)
  return result.trace
}

const UNSTARTED = 'the system was not started during the recording, so there are no steps to compare'
const UNCOMPARED =
  'it was recorded without steps and has no keyframe after the first event, so there is nothing to compare'

describe('a system that was never started', () => {
  test('is unverified, in memory, in a file and without the steps of a file', async () => {
    const recording = record(machine)
    recording.actor.send({ type: 'tick' })
    const file = await read(recording.lines())
    const bare = await read(encodeLines(file, { steps: false }))
    for (const trace of [recording.trace, file, bare])
      expect(verify(trace, systems)).toMatchObject({ outcome: 'unverified', reason: UNSTARTED, compared: 0 })
    expect(drive(file, systems)).toMatchObject({ outcome: 'unusable', reason: UNSTARTED })
    expect(coverage([file], systems).traces).toMatchObject([{ how: 'partly', reason: UNSTARTED }])
    expect(
      await minimize(
        file,
        systems,
        failsWhen('never', () => true),
      ),
    ).toEqual({
      outcome: 'unusable',
      reason: UNSTARTED,
    })
    const { pass, message } = await matchers.toReplay(file, machine)
    expect([pass, message()]).toEqual([
      false,
      `The trace does not replay exactly (unverified).\n${UNSTARTED}`,
    ])
  })
})

describe('a recording without steps', () => {
  test('and without a keyframe to compare is unverified', async () => {
    const recording = record(machine, { steps: false })
    recording.start()
    const file = await read(recording.lines())
    for (const trace of [recording.trace, file])
      expect(verify(trace, systems)).toMatchObject({
        outcome: 'unverified',
        reason: UNCOMPARED,
        keyframes: 0,
      })
    expect(coverage([file], systems).traces).toMatchObject([{ how: 'partly', reason: UNCOMPARED }])
    expect(drive(file, systems)).toMatchObject({ outcome: 'unverified', placed: 0 })
    const { pass } = await matchers.toReplay(file, machine)
    expect(pass).toBe(false)
  })

  test('and with a keyframe is compared', async () => {
    const recording = record(machine, { steps: false, platform: false })
    recording.start()
    recording.actor.send({ type: 'tick' })
    expect(verify(await read(recording.lines()), systems).outcome).toBe('diverged')
    const counter = createMachine({ id: 'clock', on: { tick: {} } })
    const quiet = record(counter, { steps: false })
    quiet.start()
    quiet.actor.send({ type: 'tick' })
    const file = await read(quiet.lines())
    expect(verify(file, { clock: counter })).toMatchObject({ outcome: 'exact', compared: 0, keyframes: 1 })
    const { pass, message } = await matchers.toReplay(file, counter)
    expect([pass, message()]).toEqual([true, 'The trace replays exactly: all 1 keyframes match.'])
  })
})
