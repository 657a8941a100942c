// Whole rows from a form: queued among the edits of their table, and returned to the form when they fail.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readTrace, systems, verify } from '../../src/public/devtools/replay.ts'
import type { EditDecision, Values } from '../../src/services/workbench/table/index.ts'
import { beginEdits, REFUSED, SILENCE, WAS } from '../harness/edit-store.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** An edit store with forms on it, which record their notifications. */
function beginForms() {
  const begun = beginEdits()
  const reported: EditDecision[] = []
  const change = (values: Values) =>
    void begun.store.write({ key: '1', row: WAS, values }, false).then(answer => reported.push(answer))
  const insert = (values: Values) =>
    void begun.store.write({ key: 'new', row: {}, values }, true).then(answer => reported.push(answer))
  return { ...begun, reported, change, insert }
}

test('a row changed by a form waits for the previous edit, and is based on its result', async () => {
  const { store, world, sent, reported, saved, type, change, answer } = beginForms()
  type({ note: 'cell' })
  change({ lit: 'true' })
  expect(sent.map(({ values }) => values)).toEqual([{ note: 'cell' }])
  const row = { id: '1', note: 'cell', lit: null }
  await answer({ type: 'saved', row })
  expect(sent.at(-1)).toMatchObject({ row, values: { lit: 'true' } })
  expect([store.edits(), world.drafts]).toEqual([[], { edits: [] }])
  const all = { type: 'saved', row: { ...row, lit: 'true' } } as const
  await answer(all)
  expect([reported, saved]).toEqual([
    [all],
    [
      ['1', row],
      ['1', all.row],
    ],
  ])
})

test.each([
  ['without a response', { type: 'failed', failure: SILENCE }],
  ['rejected', { type: 'failed', failure: REFUSED }],
  ['in conflict', { type: 'conflict', theirs: { id: '1', note: 'theirs' } }],
] as const)('%s, it returns to the form: neither kept nor retried', async (_name, event) => {
  const { store, world, sent, reported, change, answer } = beginForms()
  change({ note: 'mine' })
  await answer(event)
  await vi.advanceTimersByTimeAsync(60_000)
  expect([reported, sent.length, store.edits(), world.drafts]).toEqual([[event], 1, [], { edits: [] }])
  change({ note: 'mine' })
  expect(sent).toHaveLength(2)
})

test('while others wait for an unreachable backend, a form is still notified of its state', async () => {
  const { sent, reported, type, insert, answer } = beginForms()
  type({ note: 'cell' })
  await answer({ type: 'failed', failure: SILENCE })
  insert({ note: 'new' })
  expect(sent.map(({ values }) => values)).toEqual([{ note: 'cell' }, { note: 'cell' }, { note: 'new' }])
  await answer({ type: 'failed', failure: SILENCE })
  expect(reported).toEqual([{ type: 'failed', failure: SILENCE }])
})

test('a row that is queued when the session ends returns to the form, and is not sent later', async () => {
  const { world, sent, reported, insert, answer, notifyUsers } = beginForms()
  insert({ note: 'a' })
  insert({ note: 'b' })
  world.isTheirs = false
  notifyUsers()
  await vi.advanceTimersByTimeAsync(0)
  expect(reported).toEqual([
    {
      type: 'failed',
      failure: { message: 'You were signed out before the request was sent.', retry: false },
    },
  ])
  await answer({ type: 'failed', failure: REFUSED })
  world.isTheirs = true
  notifyUsers()
  await vi.advanceTimersByTimeAsync(60_000)
  expect([sent.length, reported.length]).toEqual([1, 2])
})

test('a queued form does not include a cell edit of the same row', async () => {
  const { store, sent, reported, type, change, answer } = beginForms()
  type({ note: 'before' })
  change({ lit: 'true' })
  type({ note: 'cell' })
  await answer({ type: 'saved', row: { id: '1', note: 'before' } })
  await answer({ type: 'failed', failure: REFUSED })
  expect(reported).toEqual([{ type: 'failed', failure: REFUSED }])
  expect(sent.map(({ values }) => values)).toEqual([{ note: 'before' }, { lit: 'true' }, { note: 'cell' }])
  expect(store.edits().map(({ values, state }) => [values, state.at])).toEqual([
    [{ note: 'cell' }, 'sending'],
  ])
})

test('new rows are sent one after another, and replace no visible row', async () => {
  const { sent, reported, saved, insert, answer } = beginForms()
  insert({ note: 'a' })
  insert({ note: 'b' })
  expect(sent.map(({ row, values }) => [row, values])).toEqual([[{}, { note: 'a' }]])
  const first = { type: 'saved', row: { id: '7', note: 'a' } } as const
  await answer(first)
  await answer({ type: 'failed', failure: SILENCE })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toHaveLength(2)
  expect([reported, saved]).toEqual([[first, { type: 'failed', failure: SILENCE }], []])
})

test('the recording has each step, its request, and no typed text', async () => {
  const { store, insert, change, answer } = beginForms()
  insert({ note: 'my secret' })
  await answer({ type: 'failed', failure: { message: 'No such thing as my secret.', retry: false } })
  change({ note: 'another secret' })
  await answer({ type: 'saved', row: { id: '1', note: 'another secret' } })
  vi.useRealTimers()
  const file = await store.job()?.recording.download()
  const read = await readTrace(new Uint8Array((await file?.arrayBuffer()) ?? new ArrayBuffer()))
  if (read.kind === 'unusable') throw new Error(read.message)
  const text = JSON.stringify(read.trace)
  expect({
    outcome: verify(read.trace, systems).outcome,
    secrets: text.match(/secret/g),
    requests: [...new Set(text.match(/r\d(?=")/g))],
  }).toEqual({ outcome: 'exact', secrets: null, requests: ['r1', 'r2'] })
})
