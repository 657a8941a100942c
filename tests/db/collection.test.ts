// A table as a collection of TanStack DB, on the embedded backend: rows of the signed-in user, realtime changes, and
// writes without an outbox.
import { randomUUID } from 'node:crypto'
import { createCollection } from '@tanstack/db'
import { expect, test } from 'vitest'
import type { ChartroomClient } from '../../src/public/index.ts'
import { chartroomCollectionOptions } from '../../src/public/db.ts'
import { memoryStorage } from '../../src/services/client/index.ts'
import { startTestBackend } from '../harness/backend.ts'
import { watchedClient } from '../harness/client.ts'
import { atTestEnd } from '../harness/endings.ts'
import { OFFLINE_TABLES } from '../harness/offline-tables.ts'
import { directSql } from '../harness/realtime.ts'

interface Todo {
  readonly id: string
  title: string
  done?: boolean
  due?: string | null
  owner?: string
  slug?: string | null
  order?: number | null
}
interface Database {
  public: { Tables: { todos: { Row: Todo }; notices: { Row: { id: string; words: string } } } }
}

const backend = await startTestBackend({ databaseAccess: {} })
const sql = directSql(backend)
await sql.unsafe(OFFLINE_TABLES)
const userIds = Object.fromEntries(
  (await sql`select id, email from auth.users`).map(({ id, email }) => [
    String(email).split('@')[0],
    String(id),
  ]),
)

const accountOf = (who: string) => {
  const account = backend.accounts.find(({ email }) => email.startsWith(`${who}@`))
  if (!account) throw new Error(`There is no account ${who}.`)
  return account
}

type Client = ReturnType<typeof watchedClient>
const typed = (client: Client) => client as unknown as ChartroomClient<Database>

async function start(who?: 'skipper' | 'mate', fetch?: typeof globalThis.fetch) {
  const client = watchedClient({
    url: backend.url,
    key: backend.publishableKey,
    storage: memoryStorage(),
    ...(fetch && { fetch }),
  })
  if (who) await client.auth.signInWithPassword(accountOf(who))
  return client
}

function todosOf(client: Client, options: { filter?: string; version?: string } = {}) {
  const todos = createCollection(
    chartroomCollectionOptions({ client: typed(client), table: 'todos', startSync: true, ...options }),
  )
  atTestEnd(() => todos.cleanup())
  return todos
}

const insert = async (owner: string, title: string, more: Partial<Todo> = {}) => {
  const id = randomUUID()
  await sql`insert into todos ${sql({ id, owner: userIds[owner] ?? '', title, ...more })}`
  return id
}
const titles = (todos: { readonly toArray: readonly Todo[] }) =>
  todos.toArray.map(({ title }) => title).sort()

test('shows the rows of the signed-in user, and follows realtime changes', async () => {
  const id = await insert('skipper', 'splice the rope')
  await insert('mate', 'of the mate')
  const todos = todosOf(await start('skipper'))
  await todos.preload()
  expect(titles(todos)).toEqual(['splice the rope'])
  await expect.poll(() => todos.utils.status().changes?.data).toBe('live')
  await insert('skipper', 'coil it')
  await sql`update todos set title = 'splice the line' where id = ${id}`
  await expect.poll(() => titles(todos)).toEqual(['coil it', 'splice the line'])
  await sql`delete from todos where owner = ${userIds['skipper'] ?? ''}`
  await expect.poll(() => titles(todos)).toEqual([])
})

test('a filter selects the rows that are read and followed', async () => {
  await insert('skipper', 'done', { done: true })
  await insert('skipper', 'open')
  const todos = todosOf(await start('skipper'), { filter: 'done=eq.true' })
  await todos.preload()
  expect(titles(todos)).toEqual(['done'])
  await expect.poll(() => todos.utils.status().changes?.data).toBe('live')
  await insert('skipper', 'also done', { done: true })
  await insert('skipper', 'also open')
  await insert('skipper', 'the last', { done: true })
  await expect.poll(() => titles(todos)).toEqual(['also done', 'done', 'the last'])
  await sql`delete from todos`
})

test('more rows than one response has', async () => {
  await sql`insert into todos (id, owner, title)
    select gen_random_uuid(), ${userIds['skipper'] ?? ''}, 'row ' || n from generate_series(1, 2345) n`
  const todos = todosOf(await start('skipper'))
  await todos.preload()
  expect(todos.size).toBe(2345)
  await sql`delete from todos`
})

test('signed out: no rows, no request, and a write fails with the reason', async () => {
  const asked: string[] = []
  const client = await start(undefined, (input, init) => {
    asked.push(input instanceof Request ? input.url : String(input))
    return fetch(input, init)
  })
  const todos = todosOf(client)
  await todos.preload()
  expect(todos.utils.status()).toEqual({ phase: 'signedOut' })
  const write = todos.insert({ id: randomUUID(), title: 'anonymous' })
  expect(titles(todos)).toEqual(['anonymous'])
  await expect(write.isPersisted.promise).rejects.toMatchObject({ failure: { code: 'signed_out' } })
  expect(titles(todos)).toEqual([])
  expect(asked.filter(url => url.includes('/rest/'))).toEqual([])
})

test('another user sees no row of the last one, at any moment', async () => {
  await insert('skipper', 'of the skipper')
  await insert('mate', 'of the mate')
  const client = await start('skipper')
  const todos = todosOf(client)
  await todos.preload()
  const seen: string[] = []
  let isMate = false
  todos.subscribeChanges(() => {
    if (isMate) seen.push(...titles(todos))
  })
  await client.auth.signOut()
  await expect.poll(() => titles(todos)).toEqual([])
  isMate = true
  await client.auth.signInWithPassword(accountOf('mate'))
  await expect.poll(() => titles(todos)).toEqual(['of the mate'])
  expect(new Set(seen)).toEqual(new Set(['of the mate']))
  await sql`delete from todos`
})

test('writes are shown at once, and then as the database has them', async () => {
  const todos = todosOf(await start('skipper'))
  await todos.preload()
  const id = randomUUID()
  const added = todos.insert({ id, title: 'new', due: '2026-05-01T12:00:00Z', order: 3 })
  expect(titles(todos)).toEqual(['new'])
  await added.isPersisted.promise
  expect(todos.get(id)).toMatchObject({ title: 'new', done: false, owner: userIds['skipper'] })
  await todos.update(id, draft => {
    draft.title = 'newer'
    draft.order = 4
  }).isPersisted.promise
  expect([...(await sql`select title, "order" from todos where id = ${id}`)]).toEqual([
    { title: 'newer', order: 4 },
  ])
  await todos.delete(id).isPersisted.promise
  expect([...(await sql`select * from todos`)]).toEqual([])
  expect(titles(todos)).toEqual([])
})

test('a refused write fails with a reason that an app can show, and its row is gone', async () => {
  const todos = todosOf(await start('skipper'))
  await todos.preload()
  const write = todos.insert({ id: randomUUID(), title: 'forbidden' })
  await expect(write.isPersisted.promise).rejects.toMatchObject({
    failure: { kind: 'validation', code: '23514' },
  })
  const foreign = todos.insert({ id: randomUUID(), title: 'of another', owner: userIds['mate'] ?? '' })
  await expect(foreign.isPersisted.promise).rejects.toMatchObject({
    failure: { kind: 'forbidden', code: '42501' },
  })
  expect(titles(todos)).toEqual([])
})

test('an update does not overwrite what another device has changed', async () => {
  const id = await insert('skipper', 'first')
  const client = await start('skipper', async (input, init) => {
    // The change of another device arrives first.
    if (init?.method === 'PATCH') await sql`update todos set title = 'theirs' where id = ${id}`
    return fetch(input, init)
  })
  const todos = todosOf(client)
  await todos.preload()
  const write = todos.update(id, draft => {
    draft.title = 'mine'
  })
  await expect(write.isPersisted.promise).rejects.toMatchObject({
    failure: { kind: 'conflict', code: 'changed_since' },
  })
  expect([...(await sql`select title from todos`)]).toEqual([{ title: 'theirs' }])
  await expect.poll(() => titles(todos)).toEqual(['theirs'])
  await sql`delete from todos`
})

test('a row that no policy lets the user change is distinguished from a conflict', async () => {
  const id = await insert('skipper', 'locked', { slug: 'locked' })
  const todos = todosOf(await start('skipper'))
  await todos.preload()
  const update = todos.update(id, draft => {
    draft.title = 'mine'
  })
  await expect(update.isPersisted.promise).rejects.toMatchObject({
    failure: { kind: 'forbidden', code: 'no_rows' },
  })
  const removal = todos.delete(id)
  await expect(removal.isPersisted.promise).rejects.toMatchObject({
    failure: { kind: 'forbidden', code: 'no_rows' },
  })
  expect(titles(todos)).toEqual(['locked'])
  await sql`delete from todos`
})

test('a public table is read and written without a session', async () => {
  const client = await start()
  const notices = createCollection(
    chartroomCollectionOptions({
      client: typed(client),
      table: 'notices',
      access: 'public',
      startSync: true,
    }),
  )
  atTestEnd(() => notices.cleanup())
  await notices.preload()
  await notices.insert({ id: randomUUID(), words: 'low water' }).isPersisted.promise
  expect([...(await sql`select words from notices`)]).toEqual([{ words: 'low water' }])
})
