// The matchers of `@chartroom/devtools/vitest`, where Vitest is new enough.
import '@chartroom/devtools/vitest'
import { record } from '@chartroom/devtools/recording'
import { expect, test } from 'vitest'
import { createMachine } from 'xstate'

const lamp = createMachine({ id: 'lamp', initial: 'off', states: { off: { on: { toggle: 'on' } }, on: {} } })

test('a recording reaches a state', async () => {
  const recording = record(lamp)
  recording.actor.start()
  recording.actor.send({ type: 'toggle' })
  await expect(recording).toReach('lamp', 'on')
})
