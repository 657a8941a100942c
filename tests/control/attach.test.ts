// `attach` connects a plain system in one line: recorded so that it replays, without secrets, and
// controllable.
import { assign, setup } from 'xstate'
import { expect, test } from 'vitest'
import { readTrace, verify } from '../../src/public/devtools/replay.ts'
import { attach } from '../../src/services/control/attach.ts'

const lamp = setup({
  types: { context: {} as { turns: number; apiKey: string }, events: {} as { type: 'turn' } },
}).createMachine({
  id: 'lamp',
  context: { turns: 0, apiKey: 'hunter2-hunter2' },
  initial: 'off',
  states: {
    off: { on: { turn: { target: 'on', actions: assign({ turns: ({ context }) => context.turns + 1 }) } } },
    on: { after: { 60_000: 'off' } },
  },
})

test('an attached system runs unchanged, and its recording can be saved and replayed exactly', async () => {
  const { actor, recording } = attach(lamp)
  expect(recording.isRecording()).toBe(true)
  actor.start()
  actor.send({ type: 'turn' })
  expect(actor.getSnapshot().context).toEqual({ turns: 1, apiKey: 'hunter2-hunter2' })
  const bytes = new Uint8Array(await (await recording.download()).arrayBuffer())
  const read = await readTrace(bytes)
  if (read.kind === 'unusable') throw new Error(read.message)
  expect(JSON.stringify(read.trace.steps)).not.toContain('hunter2')
  expect(verify(read.trace, { lamp: () => lamp })).toMatchObject({
    outcome: 'exact',
    stimuli: 1,
    steps: 2,
  })
  actor.stop()
})

test('an attached system can be controlled: a minute passes at once', async () => {
  const { actor, control } = attach(lamp)
  actor.start()
  actor.send({ type: 'turn' })
  const drive = await control.open()
  const [timer] = drive.timers()
  if (!timer) throw new Error('There is no timer')
  drive.time.fire(timer.number)
  expect(actor.getSnapshot().value).toBe('off')
  actor.stop()
})

test('stopping ends the recording, and a new recording starts from the current state', () => {
  const { actor, recording } = attach(lamp)
  actor.start()
  recording.stop()
  actor.send({ type: 'turn' })
  expect(recording.isRecording()).toBe(false)
  recording.start()
  expect([recording.isRecording(), recording.trace.steps.map(({ value }) => value)]).toEqual([true, ['on']])
  actor.stop()
})
