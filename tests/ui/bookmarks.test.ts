// Notes on steps: added to a running recording, they stay with it in every form.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMachine } from 'xstate'
import { describe, expect, onTestFinished, test } from 'vitest'
import { record, createSegments } from '../../src/services/recording/index.ts'
import { createFileStore } from '../../src/services/recording/store/file-store.ts'
import { notesOf, LiveFeed } from '../../src/trace/index.ts'
import { readTrace } from '../../src/trace/read/read-file.ts'
import { foreignTrace } from '../harness/inspected.ts'

const lamp = createMachine({
  id: 'lamp',
  initial: 'off',
  states: { off: { on: { switch: 'on' } }, on: { on: { switch: 'off' } } },
})

const note = (step: number, text: string) => ({ line: 'bookmark', step, note: text })

function lit() {
  const recording = record(lamp)
  recording.start()
  for (let at = 0; at < 4; at++) recording.actor.send({ type: 'switch' })
  return recording
}

async function saved(bytes: Uint8Array<ArrayBuffer>) {
  const read = await readTrace(bytes)
  if (read.kind !== 'trace') throw new Error(read.message)
  expect(read.trace.damage).toEqual([])
  return read.trace.bookmarks
}

test('the last note on a step counts, and an empty one removes it', () => {
  const all = [note(3, 'a'), note(1, 'b'), note(3, ''), note(2, 'c'), note(1, 'd')] as const
  expect(notesOf(all as never)).toEqual([note(1, 'd'), note(2, 'c')])
})

describe('a recording', () => {
  test('keeps notes on its steps, saves valid ones, and rejects notes on steps it does not have', async () => {
    const recording = lit()
    recording.bookmark('the last one')
    recording.bookmark('private', 1)
    recording.bookmark('nowhere', 99)
    const feed = new LiveFeed(recording.trace)
    feed.advance(100)
    expect(feed.timeline.bookmarks).toEqual([note(4, 'the last one'), note(1, 'private')])
    const before = feed.timeline.bookmarks
    recording.bookmark('', 1)
    recording.bookmark('lit again', 3)
    feed.advance(100)
    expect(feed.timeline.bookmarks).toEqual([note(4, 'the last one'), note(3, 'lit again')])
    expect(feed.timeline.bookmarks).not.toBe(before)
    const lines = recording.lines().filter(line => line.includes('bookmark'))
    expect(lines.join()).not.toContain('private')
    expect(await saved(await recording.file())).toEqual([note(3, 'lit again'), note(4, 'the last one')])
  })

  test('once stopped, accepts notes on its own steps but not on later ones', async () => {
    const recording = lit()
    recording.stopRecording()
    recording.actor.send({ type: 'switch' })
    recording.bookmark('after the end', 5)
    recording.bookmark('within', 2)
    expect(await saved(await recording.file())).toEqual([note(2, 'within')])
  })

  test('redacts known secrets in a note', () => {
    const recording = lit()
    recording.registerSecret('hunter2hunter2')
    recording.bookmark('the password is hunter2hunter2', 1)
    expect(recording.lines().join()).not.toContain('hunter2')
  })
})

test('in a ring, notes stay with their steps in every segment and are dropped with them', () => {
  const recording = lit()
  let now = 0
  const segments = createSegments(recording as never, () => now, { minutes: 1 })
  const steps = () => segments.trace.steps.length
  segments.bookmark('early', 2)
  now = 20_000
  segments.renew()
  recording.actor.send({ type: 'switch' })
  segments.bookmark('late')
  segments.bookmark('early, too', 3)
  const late = steps() - 1
  expect(segments.trace.bookmarks).toEqual([note(2, 'early'), note(late, 'late'), note(3, 'early, too')])
  expect(notesOf(segments.recorded().bookmarks)).toEqual([
    note(2, 'early'),
    note(3, 'early, too'),
    note(late, 'late'),
  ])
  segments.stop()
  segments.bookmark('when it was over', 1)
  expect(notesOf(segments.recorded().bookmarks).map(one => one.note)).toEqual([
    'when it was over',
    'early',
    'early, too',
    'late',
  ])
})

test('a store on disk contains notes as they are added, including those on segments packed long ago', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'chartroom-notes-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true, maxRetries: 3 }))
  const store = createFileStore(dir)
  const recording = lit()
  const segments = createSegments(recording as never, () => 0)
  const writing = store.write({ segments })
  segments.bookmark('at once', 2)
  await writing.flush()
  segments.renew()
  recording.actor.send({ type: 'switch' })
  await writing.flush()
  segments.bookmark('later', 1)
  segments.bookmark('and here')
  segments.bookmark('', 2)
  await expect
    .poll(async () => {
      await writing.flush()
      const blob = await store.open((await store.list())[0]?.id ?? '')
      return notesOf(await saved(new Uint8Array((await blob?.arrayBuffer()) ?? [])))
    })
    .toEqual([note(1, 'later'), note(5, 'and here')])
  await store.close()
})

test('steps of another app can have notes, too, which are dropped with the older half or keep their steps', () => {
  const viewOf = (n: number) => ({
    type: n === 0 ? '@xstate.actor' : '@xstate.event',
    _version: '0.7.2',
    createdAt: String(1_700_000_000_000 + n),
    sessionId: 'lamp',
    ...(n === 0
      ? { name: 'lamp', snapshot: { status: 'active', context: {} } }
      : { event: { type: `e${n}` } }),
  })
  const trace = foreignTrace(
    Array.from({ length: 8 }, (_, n) => viewOf(n)),
    { limits: { steps: 10 } },
  )
  trace.bookmark('early', 1)
  trace.bookmark('late', 7)
  trace.bookmark('nowhere', 99)
  expect(trace.bookmarks).toEqual([note(1, 'early'), note(7, 'late')])
  for (let n = 8; n < 12; n++) trace.take(viewOf(n))
  trace.settle()
  trace.settle()
  const [kept] = trace.bookmarks
  expect([trace.bookmarks.length, kept?.note, trace.steps[kept?.step ?? -1]?.event.type]).toEqual([
    1,
    'late',
    'e7',
  ])
})
