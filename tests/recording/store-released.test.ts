// Segments that a ring has dropped are released, although their actors live on.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { assign, setup } from 'xstate'
import { expect, test } from 'vitest'
import { record, createSegments } from '../../src/services/recording/index.ts'
import type { SystemRecording } from '../../src/services/recording/recording-types.ts'

const settle = () => new Promise<void>(resolve => setTimeout(resolve, 0))

const machine = setup({
  types: { context: {} as { last: unknown }, events: {} as { type: 'put'; item: object } },
}).createMachine({
  context: { last: undefined },
  on: { put: { actions: assign({ last: ({ event }) => event.item }) } },
})

test.each([true, false])('with steps: %s', async steps => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const recording = record(machine, { steps }) as SystemRecording<typeof machine>
  const segments = createSegments(recording, () => 0, { stimuli: 40 })
  recording.start()
  const early: WeakRef<object>[] = []
  for (let task = 0; task < 20; task++) {
    for (let sent = 0; sent < 10; sent++) {
      const item = { task, sent }
      if (task < 2) early.push(new WeakRef(item))
      recording.actor.send({ type: 'put', item })
    }
    await settle()
  }
  expect(segments.list()[0]?.number).toBeGreaterThan(2)
  collect()
  await settle()
  collect()
  expect(early.filter(ref => ref.deref() !== undefined)).toEqual([])
})
