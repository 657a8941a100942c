// Recordings that begin with a snapshot or during a run, and events that are sent again, replay exactly.
import { assign, createActor, createMachine } from 'xstate'
import type { AnyActorRef } from 'xstate'
import { describe, expect, test } from 'vitest'
import { attach } from '../../src/services/control/index.ts'
import { record } from '../../src/services/recording/index.ts'
import { verify } from '../../src/services/replay/index.ts'
import { readTrace } from '../../src/trace/read/read-file.ts'

const machine = createMachine({
  id: 'counter',
  context: { n: 0 },
  initial: 'off',
  states: { off: { on: { toggle: 'on' } }, on: { on: { toggle: 'off' } } },
  on: { set: { actions: assign({ n: ({ event }) => (event as unknown as { n: number }).n }) } },
})

async function expectExact(text: string | Uint8Array): Promise<void> {
  const read = await readTrace(text)
  if (read.kind !== 'trace') throw new Error(read.message)
  expect(verify(read.trace, { counter: machine })).toMatchObject({ outcome: 'exact', stimuli: 2 })
}

describe.each([true, false])('steps: %s', steps => {
  test('a system that starts with a snapshot, however it is started', async () => {
    const before = createActor(machine).start()
    before.send({ type: 'toggle' })
    const recording = record(machine, { steps, snapshot: before.getPersistedSnapshot() })
    recording.actor.start()
    recording.actor.send({ type: 'toggle' })
    recording.actor.send({ type: 'toggle' })
    await expectExact(recording.lines().join('\n'))
  })

  test('an event object that is changed and sent again', async () => {
    const recording = record(machine, { steps })
    recording.start()
    const event = { type: 'set', n: 1 }
    const actor: AnyActorRef = recording.actor
    actor.send(event)
    event.n = 2
    actor.send(event)
    event.n = 3
    await expectExact(recording.lines().join('\n'))
    const sent = recording.trace.stimuli.map(stimulus => stimulus.event)
    expect(sent).toEqual([1, 2].map(n => ({ type: 'set', n })))
  })

  test('a recording that begins during a run', async () => {
    const recording = record(machine, { steps })
    recording.start()
    recording.actor.send({ type: 'toggle' })
    recording.startRecording()
    recording.actor.send({ type: 'toggle' })
    recording.actor.send({ type: 'toggle' })
    await expectExact(recording.lines().join('\n'))
  })
})

test('an attached system that is recorded from the middle', async () => {
  const { actor, recording } = attach(machine)
  actor.start()
  actor.send({ type: 'toggle' })
  recording.start()
  actor.send({ type: 'toggle' })
  actor.send({ type: 'toggle' })
  const blob = await recording.download()
  await expectExact(new Uint8Array(await blob.arrayBuffer()))
})
