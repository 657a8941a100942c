// Stored recordings contain no secret: neither one known before, nor one that became known after it was
// stored.
import { assign, setup } from 'xstate'
import { expect, test } from 'vitest'
import { createSeededEntropy } from '../../../src/services/runtime/index.ts'
import { createRecorder, createSegments } from '../../../src/services/recording/index.ts'
import { verify } from '../../../src/services/replay/index.ts'
import { StoreEngine } from '../../../src/services/recording/store/store-engine.ts'
import { createStore } from '../../../src/services/recording/store/store.ts'
import { createVirtualClock } from '../../../src/testing/virtual-clock.ts'
import { readTrace } from '../../../src/trace/read/read-file.ts'
import { createMemoryStorage } from '../../harness/memory-storage.ts'

const EARLY = 'c4nary-known-from-the-start'
const LATE = 'c4nary "late" & spaced'
const KEYED = 'c4nary-under-a-key'

const machine = setup({
  types: {
    context: {} as { said: string[] },
    events: {} as { type: string; text?: string; password?: string },
  },
}).createMachine({
  id: 'sayer',
  context: { said: [] },
  on: { '*': { actions: assign({ said: ({ context, event }) => [...context.said, event.text ?? ''] }) } },
})

function recorded() {
  const clock = createVirtualClock()
  const entropy = createSeededEntropy(1)
  const options = { system: 'sayer', appVersion: '1', clock, entropy, compose: () => machine }
  const recorder = createRecorder(options)
  const segments = createSegments(recorder, clock.now)
  const storage = createMemoryStorage()
  const store = createStore({
    createEngine: onStatus =>
      Promise.resolve(new StoreEngine({ storage, retention: { days: 1e6 }, now: () => 0, onStatus })),
    writer: 'test',
    id: entropy.id,
    now: clock.now,
  })
  recorder.registerSecret(EARLY)
  recorder.start()
  return { recorder, storage, store, writing: store.write({ segments }), segments }
}

test('a secret that becomes known late is removed from what is stored, and the rest replays', async () => {
  const { recorder, storage, store, writing, segments } = recorded()
  const stored = () => [...storage.texts.values()].join('')
  const send = (event: { type: string; text?: string; password?: string }) => recorder.send(event)
  send({ type: 'say', text: `it is ${EARLY}` })
  send({ type: 'say', text: `it is ${LATE}, at https://x.test/?q=${encodeURIComponent(LATE)}` })
  segments.renew()
  send({ type: 'say', text: `it is ${KEYED}` })
  send({ type: `type.${KEYED}`, text: 'a name' })
  await writing.flush()
  expect(stored()).toContain('c4nary \\"late\\"')
  expect(stored()).toContain(`it is ${KEYED}`)

  recorder.registerSecret(LATE)
  send({ type: 'say', password: KEYED })
  await writing.stop()
  const text = stored().replaceAll(`type.${KEYED}`, '')
  expect(text).not.toContain('c4nary')
  expect(text.match(/\[redacted:\d+\]/g)?.length).toBeGreaterThan(8)
  const [recording] = await store.list()
  const file = await store.open(recording?.id ?? '')
  const read = await readTrace(new Uint8Array((await file?.arrayBuffer()) ?? []))
  if (read.kind !== 'trace') throw new Error(read.message)
  expect(verify(read.trace, { sayer: () => machine })).toMatchObject({
    outcome: 'exact',
    compared: read.trace.steps.length,
  })
})
