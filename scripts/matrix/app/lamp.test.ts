// The test app's test, in every version of Vitest: a recorded machine, without a browser and a backend.
import { describeFailure } from 'chartroom'
import { record } from '@chartroom/devtools/recording'
import { expect, test } from 'vitest'
import { createMachine } from 'xstate'

const lamp = createMachine({
  id: 'lamp',
  initial: 'off',
  states: { off: { on: { toggle: 'on' } }, on: { on: { toggle: 'off' } } },
})

test('a machine is recorded', async () => {
  const recording = record(lamp)
  recording.actor.start()
  recording.actor.send({ type: 'toggle' })
  expect(recording.actor.getSnapshot().value).toBe('on')
  recording.stop()
  expect((await recording.file()).byteLength).toBeGreaterThan(100)
})

test('an error is described', async () => {
  expect((await describeFailure(new TypeError('Failed to fetch'))).kind).toBe('network')
})
