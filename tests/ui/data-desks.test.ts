// What is written into a table and what is deleted from it goes on when its page is left, and only in its user's name.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ChartroomClient } from '../../src/index.ts'
import { fetchOfUser, keepByClient } from '../../src/ui/app/by-client.ts'
import type { RestAnswer } from '../../src/ui/app/data/rest.ts'
import { DeletionsDesk } from '../../src/ui/app/data/writes/deletions-desk.ts'
import { UNDO_MS } from '../../src/ui/app/data/writes/deletions.ts'
import { NO_DRAFTS, type Drafts } from '../../src/ui/app/data/writes/drafts.ts'
import { EditsDesk } from '../../src/ui/app/data/writes/edits-desk.ts'
import type { Edit, EditsEvent } from '../../src/ui/app/data/writes/edits.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const SILENCE = { message: 'The backend does not answer.', retry: true }
const LEFT = { message: 'This was being typed.', retry: false }
const made = (note: string) =>
  ({ type: 'edit.made', key: '1', row: { id: 1, note: 'was' }, values: { note } }) as const

function editsDesk() {
  const world = { isTheirs: true, answers: [] as (keyof typeof ANSWERS)[], drafts: NO_DRAFTS as Drafts }
  const sent: string[] = []
  const saved: unknown[] = []
  const users: (() => void)[] = []
  const desk = new EditsDesk({
    kept: NO_DRAFTS,
    keep: drafts => (world.drafts = drafts),
    isTheirs: () => world.isTheirs,
    onUser: listener => users.push(listener),
  })
  const send = (edit: Edit): Promise<EditsEvent> => {
    sent.push(String(edit.values['note']))
    return Promise.resolve(ANSWERS[world.answers.shift() ?? 'saved'](edit))
  }
  desk.sendBy({ send, onSaved: (key, row) => saved.push([key, row]) })
  return { desk, world, sent, saved, tellUsers: () => users.forEach(tell => tell()) }
}

const ANSWERS = {
  saved: ({ id, values }: Edit): EditsEvent => ({ type: 'edit.saved', id, row: { id: 1, ...values } }),
  lost: ({ id }: Edit): EditsEvent => ({ type: 'edit.failed', id, failure: SILENCE }),
}

test('an edit is sent, sent again after a silence, and forgotten when it is saved, though nobody looks', async () => {
  const { desk, world, sent, saved } = editsDesk()
  world.answers = ['lost', 'saved']
  desk.dispatch(made('mine'))
  await vi.advanceTimersByTimeAsync(0)
  expect(desk.edits().list.map(({ state }) => state)).toEqual([{ at: 'waiting', failure: SILENCE }])
  expect(world.drafts.edits.map(({ values }) => values)).toEqual([{ note: 'mine' }])
  await vi.advanceTimersByTimeAsync(4_000)
  expect(sent).toEqual(['mine', 'mine'])
  expect(saved).toEqual([['1', { id: 1, note: 'mine' }]])
  expect(desk.edits().list).toEqual([])
  expect(world.drafts).toEqual({ edits: [] })
})

test('nothing is sent while somebody else is signed in, or nobody; it goes when its user is back', async () => {
  const { desk, world, sent, tellUsers } = editsDesk()
  world.isTheirs = false
  desk.dispatch(made('mine'))
  tellUsers()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toEqual([])
  expect(world.drafts.edits).toHaveLength(1)
  world.isTheirs = true
  tellUsers()
  await vi.advanceTimersByTimeAsync(0)
  expect(sent).toEqual(['mine'])
  expect(desk.edits().list).toEqual([])
})

test('what was being typed when the page was left is kept and not sent by itself', async () => {
  const { desk, world, sent } = editsDesk()
  desk.dispatch({ ...made('half a wo'), failure: LEFT })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toEqual([])
  expect(world.drafts.edits.map(({ values }) => values)).toEqual([{ note: 'half a wo' }])
  desk.dispatch({ type: 'edit.retried', id: 1 })
  await vi.advanceTimersByTimeAsync(0)
  expect(sent).toEqual(['half a wo'])
})

function deletionsDesk(answer: RestAnswer) {
  const world = { isTheirs: true, answer }
  const unseen: string[] = []
  const sent: unknown[] = []
  const gone: unknown[] = []
  const desk = new DeletionsDesk({
    isTheirs: () => world.isTheirs,
    onUnseen: (_, { message }) => unseen.push(message),
  })
  desk.sendBy({
    send: rows => {
      sent.push(rows)
      return Promise.resolve(world.answer)
    },
    onGone: keys => gone.push([...keys]),
    onEnd: () => undefined,
  })
  return { desk, world, unseen, sent, gone }
}

const BUOY = { id: 1 }
const ORDERED = new Map([['1', BUOY]])
const DELETED: RestAnswer = { ok: true, rows: [BUOY], total: null, request: undefined }
const LOST: RestAnswer = { ok: false, failure: SILENCE, request: undefined }

test('a deletion that fails is told where nobody sees the table, and can be ordered again', async () => {
  const { desk, world, unseen, sent, gone } = deletionsDesk(LOST)
  const id = desk.order(ORDERED)
  await vi.advanceTimersByTimeAsync(UNDO_MS - 1)
  expect(sent).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect([sent, unseen, gone]).toEqual([[[BUOY]], [SILENCE.message], []])
  expect(desk.list().map(({ state }) => state)).toEqual([{ at: 'refused', failure: SILENCE }])
  world.answer = DELETED
  desk.send(id)
  await vi.advanceTimersByTimeAsync(0)
  expect([gone, desk.list(), unseen]).toEqual([[['1']], [], [SILENCE.message]])
})

test('a deletion is told in the table alone where somebody sees it, and sent in nobody else’s name', async () => {
  const { desk, world, unseen, sent } = deletionsDesk(DELETED)
  const seen: number[] = []
  desk.subscribe(() => seen.push(desk.list().length))
  desk.order(ORDERED)
  world.isTheirs = false
  await vi.advanceTimersByTimeAsync(UNDO_MS)
  expect([sent, unseen, seen]).toEqual([[], [], [1, 1, 1]])
  expect(desk.list().map(({ state }) => state)).toEqual([
    { at: 'refused', failure: { message: 'You were signed out before it was sent.', retry: false } },
  ])
  desk.undo(1)
  expect(desk.list()).toEqual([])
})

test('a deletion is taken back while nothing was sent, and not any more when it was', async () => {
  const { desk, sent } = deletionsDesk(DELETED)
  desk.undo(desk.order(ORDERED))
  await vi.advanceTimersByTimeAsync(UNDO_MS)
  expect([sent, desk.list()]).toEqual([[], []])
  const id = desk.order(ORDERED)
  desk.send(id)
  desk.undo(id)
  expect(desk.list().map(({ state }) => state)).toEqual([{ at: 'sending' }])
  await vi.advanceTimersByTimeAsync(0)
  expect([sent, desk.list()]).toEqual([[[BUOY]], []])
})

test('what goes on unseen is sent in its own user’s name alone, and found by nobody else', async () => {
  const world = { user: 'skipper' }
  const asked: unknown[] = []
  const client = {
    status: () => ({ session: { phase: 'authenticated', user: { id: world.user } } }),
    fetch: (path: string, _init: unknown, options: unknown) => {
      asked.push([path, options])
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
  await expect(send('/rest/v1/buoys')).rejects.toThrow('Nothing is sent in another’s name.')
  expect(asked).toEqual([['/rest/v1/buoys', { access: 'user' }]])
})
