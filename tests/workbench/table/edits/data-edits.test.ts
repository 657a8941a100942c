// Cell edits until they are saved: sent in order and only as their user, recorded without their text.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readTrace, systems, verify } from '../../../../src/public/devtools/replay.ts'
import { NO_DRAFTS, type Drafts } from '../../../../src/services/workbench/table/edits/drafts.ts'
import { editedCells } from '../../../../src/services/workbench/table/index.ts'
import { beginEdits as begin, inHand, LEFT, REFUSED, SILENCE, WAS } from '../../../harness/edit-store.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('an edit is sent, retried without a response, and removed when saved, unobserved too', async () => {
  const { store, world, values, saved, type, answer } = begin()
  type({ note: 'mine' })
  await answer({ type: 'failed', failure: SILENCE })
  expect(store.edits().map(({ state }) => state)).toEqual([{ at: 'backingOff', failure: SILENCE }])
  expect(world.drafts.edits).toEqual([{ key: '1', row: WAS, values: { note: 'mine' } }])
  await vi.advanceTimersByTimeAsync(4_000)
  await answer({ type: 'saved', row: { id: '1', note: 'mine' } })
  expect(values()).toEqual([{ note: 'mine' }, { note: 'mine' }])
  expect(saved).toEqual([['1', { id: '1', note: 'mine' }]])
  expect([store.edits(), world.drafts]).toEqual([[], { edits: [] }])
})

test('nothing is sent until its own user is signed in again', async () => {
  const { world, phases, values, type, notifyUsers } = begin()
  world.isTheirs = false
  notifyUsers()
  type({ note: 'mine' })
  await vi.advanceTimersByTimeAsync(60_000)
  expect([values(), phases()]).toEqual([[], [[1, { note: 'mine' }, 'queued']]])
  expect(world.drafts.edits).toHaveLength(1)
  world.isTheirs = true
  notifyUsers()
  expect([values(), phases()]).toEqual([[{ note: 'mine' }], [[1, { note: 'mine' }, 'sending']]])
})

test('an unfinished edit of a page that was left is kept and not sent automatically', async () => {
  const { store, world, values, type } = begin()
  type({ note: 'half a wo' }, LEFT)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(values()).toEqual([])
  expect(world.drafts.edits.map(edit => edit.values)).toEqual([{ note: 'half a wo' }])
  store.retry(1)
  expect(values()).toEqual([{ note: 'half a wo' }])
})

test('edits wait for the previous edit of the same row, and merge with waiting ones', async () => {
  const { sent, phases, type, answer, world, notifyUsers } = begin()
  world.isTheirs = false
  notifyUsers()
  type({ note: 'a' })
  type({ lit: 'true' })
  world.isTheirs = true
  notifyUsers()
  type({ note: 'b' })
  expect(phases()).toEqual([
    [1, { note: 'a', lit: 'true' }, 'sending'],
    [2, { note: 'b' }, 'queued'],
  ])
  const row = { id: '1', note: 'a', lit: 'true' }
  await answer({ type: 'saved', row })
  expect(sent.map(one => [one.row, one.values])).toEqual([
    [WAS, { note: 'a', lit: 'true' }],
    [row, { note: 'b' }],
  ])
})

/** The same value for this many rows. */
function beginBlock(rows: number, kept: () => void = () => undefined) {
  const begun = begin(NO_DRAFTS, inHand(NO_DRAFTS, kept))
  for (let n = 0; n < rows; n += 1)
    begun.store.make({ key: String(n), row: { id: n }, values: { note: 'same' } })
  return begun
}

test('a pasted block is sent a few rows at a time, and stored once', async () => {
  const kept = vi.fn<() => void>()
  const { sent, answer } = beginBlock(50, kept)
  await Promise.resolve()
  expect([sent.length, kept.mock.calls.length]).toEqual([4, 1])
  await answer({ type: 'saved', row: { id: 3, note: 'same' } })
  await answer({ type: 'failed', failure: REFUSED })
  expect([sent.map(({ row }) => row['id']), kept.mock.calls.length]).toEqual([[0, 1, 2, 3, 4, 5], 1])
  await vi.advanceTimersByTimeAsync(300)
  expect(kept.mock.calls.length).toBe(2)
})

test('while the backend is unreachable a few rows retry, and the others wait with them', async () => {
  const { store, sent, answer } = beginBlock(6)
  for (const one of sent) one.answer({ type: 'failed', failure: SILENCE })
  await vi.advanceTimersByTimeAsync(3_999)
  expect([sent.length, store.edits().map(({ state }) => state.at)]).toEqual([
    4,
    ['backingOff', 'backingOff', 'backingOff', 'backingOff', 'queued', 'queued'],
  ])
  await vi.advanceTimersByTimeAsync(1)
  expect(sent.map(({ row }) => row['id'])).toEqual([0, 1, 2, 3, 0, 1, 2, 3])
  await answer({ type: 'saved', row: { id: 3, note: 'same' } })
  expect(sent.at(-1)?.row).toEqual({ id: 4 })
})

test('waiting edits are sent at once when the device is online again', async () => {
  const { world, values, type, answer, notifyUsers } = begin()
  type({ note: 'mine' })
  world.isOnline = false
  notifyUsers()
  await answer({ type: 'failed', failure: SILENCE })
  notifyUsers()
  expect(values()).toHaveLength(1)
  world.isOnline = true
  notifyUsers()
  expect(values()).toEqual([{ note: 'mine' }, { note: 'mine' }])
})

test('a cell that is edited while its last change is being saved is based on that change', async () => {
  const { sent, type, answer } = begin()
  type({ note: 'a' })
  const saved = { id: '1', note: 'a', lit: 'now' }
  await answer({ type: 'saved', row: saved })
  type({ note: 'b' })
  const again = { ...saved, note: 'b' }
  await answer({ type: 'saved', row: again })
  type({ note: 'c' })
  // Other cells of that response were not visible when these were typed.
  expect(sent.map(({ row }) => row)).toEqual([WAS, { ...WAS, note: 'a' }, { ...WAS, note: 'b' }])
})

test('a cell is based on what the user wrote before, however often and whenever its row was read', async () => {
  const { store, type, answer, sent, loaded } = begin()
  type({ note: 'first' })
  type({ note: 'second' })
  await answer({ type: 'saved', row: { ...WAS, note: 'first' } })
  // Read while the second write is under way: the value from before it.
  const read = { ...WAS, note: 'first' }
  loaded.set('1', read)
  await answer({ type: 'saved', row: { ...WAS, note: 'second' } })
  for (const row of [WAS, read]) expect(store.latest(row)['note']).toBe('second')
  store.make({ key: '1', row: read, values: { note: 'third' } })
  expect(sent.at(-1)).toMatchObject({ row: { note: 'second' }, values: { note: 'third' } })
})

describe('a failed edit', () => {
  const theirs = { id: '1', note: 'theirs' }
  test.each([
    [
      'waits without a response',
      { type: 'failed', failure: SILENCE },
      { at: 'backingOff', failure: SILENCE },
      WAS,
    ],
    ['is rejected', { type: 'failed', failure: REFUSED }, { at: 'refused', failure: REFUSED }, WAS],
    ['is in conflict', { type: 'conflict', theirs }, { at: 'conflict', theirs }, theirs],
  ] as const)('%s, is kept, and is sent again on request', async (_name, event, state, base) => {
    const { store, sent, type, answer } = begin()
    type({ note: 'mine' })
    await answer(event)
    const mine = { id: 1, key: '1', row: WAS, values: { note: 'mine' } }
    expect(store.edits()).toEqual([{ ...mine, request: 'r1', state }])
    expect(editedCells(store.edits()).get('1')?.get('note')?.cell).toBe('mine')
    store.retry(1)
    expect(sent.map(({ row, values }) => [row, values])).toEqual([
      [WAS, { note: 'mine' }],
      [base, { note: 'mine' }],
    ])
    await answer(event)
    store.cancel(1)
    expect(store.edits()).toEqual([])
  })

  test('does not block other cells of its row', async () => {
    const { phases, type, answer, values } = begin()
    type({ lit: 'perhaps' })
    await answer({ type: 'failed', failure: REFUSED })
    type({ note: 'a' })
    type({ lit: 'true' })
    expect(phases()).toEqual([
      [1, { lit: 'true' }, 'queued'],
      [2, { note: 'a' }, 'sending'],
    ])
    await answer({ type: 'saved', row: { id: '1', note: 'a' } })
    expect(values()).toEqual([{ lit: 'perhaps' }, { note: 'a' }, { lit: 'true' }])
  })

  test("survives a reload, and is then sent on its user's request", async () => {
    const first = begin()
    first.type({ note: 'mine' })
    await Promise.resolve()
    const kept = JSON.parse(JSON.stringify(first.world.drafts)) as Drafts
    const { store, phases, values } = begin(kept)
    await vi.advanceTimersByTimeAsync(60_000)
    expect([phases(), values()]).toEqual([[[1, { note: 'mine' }, 'refused']], []])
    store.retry(1)
    expect(values()).toEqual([{ note: 'mine' }])
  })
})

test('the recording has each step of an edit and no typed text; its replay is exact', async () => {
  const { store, type, answer } = begin()
  type({ note: 'my secret' })
  await answer({ type: 'failed', failure: { message: 'No such thing as MY SECRET.', retry: false } })
  type({ note: 'another secret' })
  await answer({ type: 'failed', failure: SILENCE })
  await vi.advanceTimersByTimeAsync(4_000)
  await answer({ type: 'saved', row: { id: '1', note: 'another secret' } })
  vi.useRealTimers()
  const file = await store.job()?.recording.download()
  const read = await readTrace(new Uint8Array((await file?.arrayBuffer()) ?? new ArrayBuffer()))
  if (read.kind === 'unusable') throw new Error(read.message)
  const text = JSON.stringify(read.trace)
  expect({
    outcome: verify(read.trace, systems).outcome,
    secrets: text.match(/secret/gi),
    requests: [...new Set(text.match(/r\d(?=")/g))],
  }).toEqual({ outcome: 'exact', secrets: null, requests: ['r1', 'r2', 'r3'] })
})

test('a value that a reload brought under a pending edit is not overwritten by the next one', async () => {
  const { store, sent, type, answer } = begin()
  type({ note: 'a' })
  const theirs = { ...WAS, note: 'theirs' }
  store.make({ key: '1', row: theirs, values: { note: 'b' } })
  await answer({ type: 'conflict', theirs })
  expect(sent.map(({ row, values }) => [row['note'], values])).toEqual([
    ['old', { note: 'a' }],
    ['old', { note: 'b' }],
  ])
})
