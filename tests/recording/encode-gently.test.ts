// Writing a file while the app goes on: the page has turns in between, and the file is whole.
import { assign, createMachine } from 'xstate'
import { expect, test } from 'vitest'
import { readTrace } from '../../src/trace/read/read-file.ts'
import { encodeFile } from '../../src/trace/write/encode.ts'
import { createSlices } from '../../src/services/runtime/index.ts'
import { encodeGently } from '../../src/services/recording/encode-gently.ts'
import { record } from '../../src/services/recording/index.ts'
import { verify } from '../../src/services/replay/index.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'

const notes = createMachine({
  id: 'notes',
  context: { text: '', at: 0 },
  on: {
    write: {
      actions: assign({ text: ({ event }) => String(event.text).slice(0, 20), at: () => Math.random() }),
    },
  },
})

const turn = () => new Promise(resolve => setImmediate(resolve))

test('later events do no harm, wherever the writing pauses', async () => {
  const { actor, trace, stop } = record(notes, { clock: createVirtualClock() })
  actor.start()
  const write = (n: number) => actor.send({ type: 'write', text: `${n} ${'x'.repeat(200)}` })
  for (let n = 0; n < 100; n++) write(n)
  let lines = 0
  // The worst case: an event after every line that is written, for as long as the first ones are.
  const bytes = await encodeFile(trace, {
    pause: async () => {
      lines += 1
      if (lines < 400) write(lines)
      await turn()
    },
  })
  stop()
  const read = await readTrace(bytes)
  expect(read).toMatchObject({ kind: 'trace', trace: { damage: [] } })
  if (read.kind !== 'trace') throw new Error(read.message)
  expect(read.trace.stimuli.length).toBeGreaterThanOrEqual(100)
  expect(verify(read.trace, { notes })).toMatchObject({ outcome: 'exact' })
})

test('a slice of work ends after 8 ms, and the next one starts when the page had its turn', async () => {
  let now = 0
  const pause = createSlices(() => now)
  now = 7
  expect(pause()).toBeUndefined()
  now = 8
  const turned = pause()
  expect(turned).toBeInstanceOf(Promise)
  now = 100
  await turned
  now = 107
  expect(pause()).toBeUndefined()
})

test('a download gives the page turns', async () => {
  const attached = record(notes, { clock: createVirtualClock() })
  attached.actor.start()
  for (let n = 0; n < 2_000; n++) attached.actor.send({ type: 'write', text: `${n} ${'x'.repeat(500)}` })
  let turns = 0
  let isWritten = false
  const writing = encodeGently(attached.trace).finally(() => void (isWritten = true))
  while (!isWritten) {
    await turn()
    turns += 1
  }
  expect(await readTrace(await writing)).toMatchObject({ kind: 'trace', trace: { damage: [] } })
  expect(turns).toBeGreaterThan(3)
})
