// Writing the segments of a running recording as a file: the file is whole, and the page has turns in between.
import { assign, createMachine } from 'xstate'
import { expect, test } from 'vitest'
import { record, createRing } from '../../../src/services/recording/index.ts'
import { encodeSegments } from '../../../src/services/recording/encode-gently.ts'
import { createSegments, type SegmentRecorder } from '../../../src/services/recording/store/segments.ts'
import { verify } from '../../../src/services/replay/index.ts'
import { readTrace } from '../../../src/trace/read/read-file.ts'
import { encodeFile } from '../../../src/trace/write/encode.ts'
import { recordedClient } from '../../harness/recorded-run.ts'
import { storm } from '../../harness/storm.ts'
import { createVirtualClock } from '../../../src/testing/virtual-clock.ts'

const notes = createMachine({
  id: 'notes',
  context: { text: '', at: 0 },
  on: {
    write: {
      actions: assign({ text: ({ event }) => String(event.text).slice(0, 20), at: () => Math.random() }),
    },
  },
})

const turn = () => new Promise<void>(resolve => setImmediate(resolve))

const traceOf = async (bytes: Uint8Array) => {
  const read = await readTrace(bytes)
  if (read.kind !== 'trace') throw new Error(read.message)
  expect(read.trace.damage).toEqual([])
  return read.trace
}

function runOf(steps: boolean, stimuli = 40) {
  const clock = createVirtualClock()
  const recording = record(notes, { clock, steps })
  const recorder = recording as unknown as SegmentRecorder
  const segments = createSegments(recorder, clock.now, { stimuli })
  recording.actor.start()
  let count = 0
  const write = (times = 1) => {
    for (let n = 0; n < times; n++) recording.actor.send({ type: 'write', text: `note ${count++}` })
  }
  return { recording, recorder, segments, write }
}

test.each([true, false])('the same file as in one piece, with steps: %s', async steps => {
  const { recorder, segments, write, recording } = runOf(steps)
  for (let part = 0; part < 4; part++) {
    write(7)
    segments.renew()
  }
  recording.bookmark('here', 0)
  write(3)
  const whole = await encodeFile(segments.recorded())
  expect([...(await encodeSegments(segments, recorder))]).toEqual([...whole])
})

test.each([true, false])('events in every pause do no harm, with steps: %s', async steps => {
  const { recorder, segments, write } = runOf(steps, 1_000)
  write(100)
  let pauses = 0
  const bytes = await encodeSegments(segments, recorder, {}, () => {
    pauses += 1
    if (pauses < 200) write()
    if (pauses === 90) segments.renew()
    return turn()
  })
  const trace = await traceOf(bytes)
  expect(trace.stimuli.length).toBeGreaterThanOrEqual(100)
  expect(trace.keyframes.every(({ at }) => at <= trace.stimuli.length)).toBe(true)
  expect(verify(trace, { notes })).toMatchObject({ outcome: 'exact' })
})

test('a recording that was stopped ends there', async () => {
  const { recorder, segments, write } = runOf(false)
  write(5)
  segments.stop()
  write(5)
  expect((await traceOf(await encodeSegments(segments, recorder))).stimuli).toHaveLength(5)
})

test('a secret that is recognized after a record was converted is not in the file', async () => {
  const { recorder, segments, write, recording } = runOf(true)
  recording.actor.send({ type: 'write', text: 'correct horse battery' })
  expect(segments.trace.stimuli).toHaveLength(1)
  recording.registerSecret('correct horse battery')
  write()
  const { stimuli } = await traceOf(await encodeSegments(segments, recorder))
  expect(JSON.stringify(stimuli)).not.toContain('correct horse')
})

test('the file names the trace of the app', async () => {
  const ring = createRing(record(notes, { clock: createVirtualClock() }), { minutes: 5 })
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const { header } = await traceOf(await ring.file({ traceparent }))
  expect(header.traceparent).toBe(traceparent)
  expect((await traceOf(await ring.file())).header.traceparent).toBeUndefined()
})

test('a few records are converted between two pauses, and all of them before the end', async () => {
  const { behavior, command, idleTime } = storm(3)
  const { clock, recorder, send } = recordedClient(behavior, 3, undefined, false)
  const segments = createSegments(recorder, clock.now)
  for (let n = 0; n < 150; n++) {
    send(command())
    clock.advance(idleTime())
  }
  const sizes: number[] = []
  let before = 0
  const sizeOf = () => {
    const [first] = segments.list()
    return first?.trace.batch?.(0).stimuli.length ?? 0
  }
  await encodeSegments(segments, recorder, {}, () => {
    sizes.push(sizeOf() - before)
    before = sizeOf()
    return undefined
  })
  expect(before).toBeGreaterThan(200)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(8)
})
