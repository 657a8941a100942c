// Deletions in a table continue when its page is left, and only as their user.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ChartroomClient } from '../../src/public/index.ts'
import { fetchOfUser, keepByClient } from '../../src/services/workbench/storage/index.ts'
import type { RestResponse } from '../../src/services/workbench/rest/rest.ts'
import {
  type DeletionAnswer,
  DeletionStore,
  UNDO_MS,
} from '../../src/services/workbench/table/edits/deletion-store.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const SILENCE = { message: 'The backend does not answer.', retry: true }
function beginDeletions(answer: DeletionAnswer) {
  const world = { isTheirs: true, answer }
  const guarded: unknown[] = []
  const unseen: string[] = []
  const pending: boolean[] = []
  const sent: unknown[] = []
  const gone: unknown[] = []
  const late: number[] = []
  const store = new DeletionStore({
    isTheirs: () => world.isTheirs,
    onBegun: () => undefined,
    onPending: isPending => pending.push(isPending),
    onUnseen: (_, { message }) => unseen.push(message),
    onLate: id => late.push(id),
  })
  store.sendBy({
    send: (rows, onlyUnchanged) => {
      sent.push(rows)
      if (onlyUnchanged) guarded.push(rows)
      return Promise.resolve(world.answer)
    },
    keyOf: row => String(row['id']),
  })
  store.watch({ onGone: keys => gone.push([...keys]), onEnd: () => undefined })
  return { store, world, unseen, pending, sent, guarded, gone, late }
}

const BUOY = { id: 1 }
const ORDERED = new Map([['1', BUOY]])
const DELETED: RestResponse = { ok: true, rows: [BUOY], total: null, request: undefined }
const LOST: RestResponse = { ok: false, failure: SILENCE, request: 'r1' }

test('a failed deletion is announced when the table is not visible, and can be retried', async () => {
  const { store, world, unseen, sent, gone } = beginDeletions(LOST)
  const id = store.order(ORDERED)
  await vi.advanceTimersByTimeAsync(UNDO_MS - 1)
  expect(sent).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect([sent, unseen, gone]).toEqual([[[BUOY]], [SILENCE.message], []])
  expect(store.list().map(({ state }) => state)).toEqual([{ at: 'refused', failure: SILENCE, request: 'r1' }])
  world.answer = DELETED
  store.send(id)
  await vi.advanceTimersByTimeAsync(0)
  expect([gone, store.list(), unseen]).toEqual([[['1']], [], [SILENCE.message]])
})

test('a deletion is shown only in a visible table, and sent only as its user', async () => {
  const { store, world, unseen, sent } = beginDeletions(DELETED)
  const seen: number[] = []
  store.subscribe(() => seen.push(store.list().length))
  store.order(ORDERED)
  world.isTheirs = false
  await vi.advanceTimersByTimeAsync(UNDO_MS)
  expect([sent, unseen, seen]).toEqual([[], [], [1, 1, 1]])
  expect(store.list().map(({ state }) => state)).toEqual([
    { at: 'refused', failure: { message: 'You were signed out before the request was sent.', retry: false } },
  ])
  store.undo(1)
  expect(store.list()).toEqual([])
})

test('leaving the page asks for confirmation only while a deletion is pending', async () => {
  const { store, pending } = beginDeletions(LOST)
  const id = store.order(ORDERED)
  expect(pending.at(-1)).toBe(true)
  await vi.advanceTimersByTimeAsync(UNDO_MS - 1)
  expect(pending.at(-1)).toBe(true)
  await vi.advanceTimersByTimeAsync(1)
  expect(pending.at(-1)).toBe(false)
  store.send(id)
  expect(pending.at(-1)).toBe(true)
  await vi.advanceTimersByTimeAsync(0)
  store.undo(id)
  store.undo(store.order(ORDERED))
  expect(pending.at(-1)).toBe(false)
})

test('a deletion can be undone until it is sent', async () => {
  const { store, sent, late } = beginDeletions(DELETED)
  store.undo(store.order(ORDERED))
  await vi.advanceTimersByTimeAsync(UNDO_MS)
  expect([sent, late, store.list()]).toEqual([[], [], []])
  const id = store.order(ORDERED)
  store.send(id)
  expect(late).toEqual([id])
  store.undo(id)
  expect(store.list().map(({ state }) => state)).toEqual([{ at: 'sending' }])
  await vi.advanceTimersByTimeAsync(0)
  expect([sent, store.list()]).toEqual([[[BUOY]], []])
})

test('a retry sends only the rows that are left, after rows were refused or a request failed', async () => {
  const { store, world, sent, gone } = beginDeletions(DELETED)
  const many = Array.from({ length: 81 }, (_, id) => ({ id }))
  const id = store.order(new Map(many.map(row => [String(row.id), row])))
  await vi.advanceTimersByTimeAsync(UNDO_MS)
  expect([sent.length, gone]).toEqual([2, [['1']]])
  expect(store.list().map(({ rows, state }) => [rows.size, state])).toEqual([
    [
      80,
      {
        at: 'refused',
        failure: {
          message: 'Some rows were not deleted: they still exist, so a row policy or a trigger keeps them.',
          retry: false,
        },
        request: undefined,
      },
    ],
  ])
  world.answer = { ok: true, rows: many, total: null, request: undefined }
  store.send(id)
  await vi.advanceTimersByTimeAsync(0)
  expect(sent[2]).toEqual(many.filter(row => row.id !== 1))
  expect([store.list(), gone[1]]).toEqual([[], many.filter(row => row.id !== 1).map(row => String(row.id))])
})

test('imported rows that changed since are kept, and deleted by a retry', async () => {
  const now = { id: 2, name: 'edited' }
  const { store, world, sent, guarded, gone } = beginDeletions({
    ok: true,
    rows: [BUOY],
    changed: [now],
    missing: [{ id: 3 }],
    total: null,
    request: 'r1',
  })
  const rows = [BUOY, { id: 2, name: 'new' }, { id: 3 }]
  const id = store.order(new Map(rows.map(row => [String(row.id), row])), true)
  await vi.advanceTimersByTimeAsync(UNDO_MS)
  expect([guarded, gone]).toEqual([[rows], [['1', '3']]])
  expect(store.list().map(({ rows: left, state }) => [[...left.values()], state])).toEqual([
    [
      [now],
      {
        at: 'refused',
        failure: {
          message: '1 row changed after the import and was kept. Retry to delete it as well.',
          retry: false,
        },
        request: 'r1',
      },
    ],
  ])
  world.answer = { ok: true, rows: [now], total: null, request: undefined }
  store.send(id)
  await vi.advanceTimersByTimeAsync(0)
  expect([sent[1], store.list()]).toEqual([[now], []])
})

test('background deletions are sent only as their user, and are not visible to others', async () => {
  const world = { user: 'skipper' }
  const requests: unknown[] = []
  const client = {
    status: () => ({ session: { phase: 'authenticated', user: { id: world.user } } }),
    fetch: (path: string, _init: unknown, options: unknown) => {
      requests.push([path, options])
      return Promise.resolve(new Response())
    },
  } as unknown as ChartroomClient
  const kept = keepByClient<{ readonly of: string }>()
  const one = kept.of(client, 'skipper', () => ({ of: 'skipper' }))
  expect(kept.of(client, 'skipper', () => ({ of: 'nobody' }))).toBe(one)
  expect(kept.of(client, 'mate', () => ({ of: 'mate' }))).toEqual({ of: 'mate' })
  const send = fetchOfUser(client)
  await send('/rest/v1/buoys')
  world.user = 'mate'
  await expect(send('/rest/v1/buoys')).rejects.toThrow('Nothing is sent as another user.')
  expect(requests).toEqual([['/rest/v1/buoys', { access: 'user' }]])
})
