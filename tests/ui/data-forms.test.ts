// Whole rows that a form writes: in their turn among the edits of their table, the form's own again when they fail.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readTrace, systems, verify } from '../../src/replay.ts'
import type { EditAnswer, Values } from '../../src/ui/app/data/writes/edits.ts'
import { beginEdits, REFUSED, SILENCE, WAS } from '../harness/edits-desk.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A desk with forms over it, which note what they are told. */
function beginForms() {
  const begun = beginEdits()
  const told: EditAnswer[] = []
  const change = (values: Values) =>
    void begun.desk.write({ key: '1', row: WAS, values }, false).then(answer => told.push(answer))
  const insert = (values: Values) =>
    void begun.desk.write({ key: 'new', row: {}, values }, true).then(answer => told.push(answer))
  return { ...begun, told, change, insert }
}

test('a row that a form changes waits for the edit before, and is written on what that one wrote', async () => {
  const { desk, world, sent, told, saved, type, change, answer } = beginForms()
  type({ note: 'cell' })
  change({ lit: 'true' })
  expect(sent.map(({ values }) => values)).toEqual([{ note: 'cell' }])
  const row = { id: '1', note: 'cell', lit: null }
  await answer({ type: 'saved', row })
  expect(sent.at(-1)).toMatchObject({ row, values: { lit: 'true' } })
  expect([desk.edits(), world.drafts]).toEqual([[], { edits: [] }])
  const all = { type: 'saved', row: { ...row, lit: 'true' } } as const
  await answer(all)
  expect([told, saved]).toEqual([
    [all],
    [
      ['1', row],
      ['1', all.row],
    ],
  ])
})

test.each([
  ['after a silence', { type: 'failed', failure: SILENCE }],
  ['refused', { type: 'failed', failure: REFUSED }],
  ['crossed', { type: 'crossed', theirs: { id: '1', note: 'theirs' } }],
] as const)('%s, it is the form’s again: neither kept nor tried again', async (_name, event) => {
  const { desk, world, sent, told, change, answer } = beginForms()
  change({ note: 'mine' })
  await answer(event)
  await vi.advanceTimersByTimeAsync(60_000)
  expect([told, sent.length, desk.edits(), world.drafts]).toEqual([[event], 1, [], { edits: [] }])
  change({ note: 'mine' })
  expect(sent).toHaveLength(2)
})

test('while others wait because nobody answered, a form hears how it stands all the same', async () => {
  const { sent, told, type, insert, answer } = beginForms()
  type({ note: 'cell' })
  await answer({ type: 'failed', failure: SILENCE })
  insert({ note: 'new' })
  expect(sent.map(({ values }) => values)).toEqual([{ note: 'cell' }, { note: 'cell' }, { note: 'new' }])
  await answer({ type: 'failed', failure: SILENCE })
  expect(told).toEqual([{ type: 'failed', failure: SILENCE }])
})

test('what waits for its turn when the session ends is the form’s again, and does not go later by itself', async () => {
  const { world, sent, told, insert, answer, tellUsers } = beginForms()
  insert({ note: 'a' })
  insert({ note: 'b' })
  world.isTheirs = false
  tellUsers()
  await vi.advanceTimersByTimeAsync(0)
  expect(told).toEqual([
    {
      type: 'failed',
      failure: { message: 'You were signed out before the request was sent.', retry: false },
    },
  ])
  await answer({ type: 'failed', failure: REFUSED })
  world.isTheirs = true
  tellUsers()
  await vi.advanceTimersByTimeAsync(60_000)
  expect([sent.length, told.length]).toEqual([1, 2])
})

test('a cell of the same row is not taken along by a form that waits', async () => {
  const { desk, sent, told, type, change, answer } = beginForms()
  type({ note: 'before' })
  change({ lit: 'true' })
  type({ note: 'cell' })
  await answer({ type: 'saved', row: { id: '1', note: 'before' } })
  await answer({ type: 'failed', failure: REFUSED })
  expect(told).toEqual([{ type: 'failed', failure: REFUSED }])
  expect(sent.map(({ values }) => values)).toEqual([{ note: 'before' }, { lit: 'true' }, { note: 'cell' }])
  expect(desk.edits().map(({ values, state }) => [values, state.at])).toEqual([[{ note: 'cell' }, 'sending']])
})

test('new rows go one after another, and no row on show is replaced by them', async () => {
  const { sent, told, saved, insert, answer } = beginForms()
  insert({ note: 'a' })
  insert({ note: 'b' })
  expect(sent.map(({ row, values }) => [row, values])).toEqual([[{}, { note: 'a' }]])
  const first = { type: 'saved', row: { id: '7', note: 'a' } } as const
  await answer(first)
  await answer({ type: 'failed', failure: SILENCE })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toHaveLength(2)
  expect([told, saved]).toEqual([[first, { type: 'failed', failure: SILENCE }], []])
})

test('the recording has each step of it, its request, and nothing that was typed', async () => {
  const { desk, insert, change, answer } = beginForms()
  insert({ note: 'my secret' })
  await answer({ type: 'failed', failure: { message: 'No such thing as my secret.', retry: false } })
  change({ note: 'another secret' })
  await answer({ type: 'saved', row: { id: '1', note: 'another secret' } })
  vi.useRealTimers()
  const file = await desk.attached()?.recording.download()
  const read = await readTrace(new Uint8Array((await file?.arrayBuffer()) ?? new ArrayBuffer()))
  if (read.kind === 'unusable') throw new Error(read.message)
  const text = JSON.stringify(read.trace)
  expect({
    outcome: verify(read.trace, systems).outcome,
    secrets: text.match(/secret/g),
    requests: [...new Set(text.match(/r\d(?=")/g))],
  }).toEqual({ outcome: 'exact', secrets: null, requests: ['r1', 'r2'] })
})
