// Notes in an opened file: visible immediately, saved in a new file without a trace of what they replaced.
import { gunzipSync } from 'node:zlib'
import { createMachine } from 'xstate'
import { describe, expect, test } from 'vitest'
import { record } from '../../src/services/recording/index.ts'

import { readTrace } from '../../src/trace/read/read-file.ts'
import { Timeline } from '../../src/trace/index.ts'
import {
  nextNote,
  toggledQuery,
  FileNotes,
  notedName,
} from '../../src/ui/console/bookmarks/bookmark-store.ts'
import type { FileTrace } from '../../src/ui/console/model/file-trace.ts'

const lamp = createMachine({
  id: 'lamp',
  initial: 'off',
  states: { off: { on: { switch: 'on' } }, on: { on: { switch: 'off' } } },
})

const note = (step: number, text: string) => ({ line: 'bookmark' as const, step, note: text })

function recorded() {
  const recording = record(lamp)
  recording.start()
  for (let at = 0; at < 4; at++) recording.actor.send({ type: 'switch' })
  recording.bookmark('secretly', 1)
  return recording
}

/** An opened file that contains a note. */
function opened(bytes: BlobPart, name = 'lamp.trace.gz') {
  const file = new File([bytes], name)
  const timeline = new Timeline()
  const trace = { file, timeline, damage: () => [], header: {} } as unknown as FileTrace
  const notes = new FileNotes(trace)
  notes.write('secretly', 1)
  notes.saved()
  return { trace, timeline, notes: new FileNotes(trace) }
}

async function read(file: Blob) {
  const result = await readTrace(new Uint8Array(await file.arrayBuffer()))
  if (result.kind !== 'trace') throw new Error(result.message)
  expect(result.trace.damage).toEqual([])
  return result.trace
}

const unpacked = async (file: Blob): Promise<string> =>
  gunzipSync(new Uint8Array(await file.arrayBuffer())).toString('utf8')

describe('notes in a file', () => {
  test('in a gzipped file are appended to the existing content', async () => {
    const bytes = await recorded().file()
    const { timeline, notes } = opened(bytes)
    notes.write('here', 2)
    expect([timeline.bookmarks, notes.unsaved]).toEqual([[note(1, 'secretly'), note(2, 'here')], 1])
    const saved = await notes.save()
    expect(new Uint8Array(await saved.slice(0, bytes.length).arrayBuffer())).toEqual(bytes)
    expect([saved.name, (await read(saved)).bookmarks]).toEqual([
      'lamp-notes.trace.gz',
      [note(1, 'secretly'), note(2, 'here')],
    ])
    expect(notes.unsaved).toBe(1)
    notes.saved()
    notes.write('there', 3)
    expect(notes.unsaved).toBe(1)
    expect((await read(await notes.save())).bookmarks).toEqual([
      note(1, 'secretly'),
      note(2, 'here'),
      note(3, 'there'),
    ])
    notes.write('', 3)
    expect(notes.unsaved).toBe(0)
  })

  test('in a file of lines', async () => {
    const { notes } = opened(recorded().lines().join('\n'), 'lamp.trace')
    notes.write('here', 2)
    const saved = await notes.save()
    expect([saved.name, (await read(saved)).bookmarks]).toEqual([
      'lamp-notes.trace',
      [note(1, 'secretly'), note(2, 'here')],
    ])
  })

  test('removed or replaced notes are not in the saved file', async () => {
    const bytes = await recorded().file()
    const { notes } = opened(bytes)
    notes.write('in public', 1)
    notes.write('', 1)
    const saved = await notes.save()
    const trace = await read(saved)
    expect([trace.bookmarks, trace.steps.length]).toEqual([[], 5])
    expect(await unpacked(saved)).not.toContain('secretly')
    expect(await unpacked(new Blob([bytes]))).toContain('secretly')
  })
})

test('file names show that they have notes, only once', () => {
  expect(['a.b.trace.gz', 'x-notes.trace', 'plain'].map(notedName)).toEqual([
    'a.b-notes.trace.gz',
    'x-notes.trace',
    'plain-notes',
  ])
})

test('moving from note to note wraps around at the ends', () => {
  const list = [note(2, 'a'), note(5, 'b')]
  const at = (seq: number, by: 1 | -1) => nextNote(list, seq, by)?.step
  expect([at(2, 1), at(5, 1), at(3, -1), at(2, -1), nextNote([], 1, 1)]).toEqual([5, 2, 2, 5, undefined])
})

test('the query toggles the bookmarked term', () => {
  expect(['', 'actor:a', 'bookmarked', 'a bookmarked b', '-bookmarked'].map(toggledQuery)).toEqual([
    'bookmarked',
    'actor:a bookmarked',
    '',
    'a b',
    '-bookmarked bookmarked',
  ])
})
