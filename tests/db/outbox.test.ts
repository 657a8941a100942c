// Writes that are stored before they are sent, on the embedded backend. A trigger notes each change: what PostgreSQL has
// counted is compared with what was written.
import { randomUUID } from 'node:crypto'
import { createCollection } from '@tanstack/db'
import { beforeEach, expect, test } from 'vitest'
import { record, type Recording } from '../../src/public/devtools/recording.ts'
import { readTrace, systems, verify } from '../../src/public/devtools/replay.ts'
import type { ChartroomClient } from '../../src/public/index.ts'
import { chartroomCollectionOptions } from '../../src/public/db.ts'
import { memoryStorage } from '../../src/services/client/index.ts'
import {
  createMemoryStorage,
  createOutbox,
  type OutboxOptions,
  type OutboxWrite,
  type WriteStorage,
} from '../../src/services/db/index.ts'
import { startTestBackend } from '../harness/backend.ts'
import { watchedClient } from '../harness/client.ts'
import { atTestEnd } from '../harness/endings.ts'
import { loggedChanges, OFFLINE_TABLES } from '../harness/offline-tables.ts'
import { directSql } from '../harness/realtime.ts'

interface Todo {
  readonly id: string
  title: string
  owner?: string
  slug?: string | null
  price?: number | string | null
  due?: string | null
  tags?: object
}

interface Database {
  public: { Tables: { todos: { Row: Todo } } }
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
beforeEach(async () => void (await sql`truncate todos, todo_log, notices restart identity`))

const accountOf = (who: string) => {
  const account = backend.accounts.find(({ email }) => email.startsWith(`${who}@`))
  if (!account) throw new Error(`There is no account ${who}.`)
  return account
}

/** The network of one device. */
function createNetwork() {
  const network = {
    isUp: true,
    /** The next answers to writes are lost. */
    loseAnswers: 0,
    writes: 0,
    sending: 0,
    mostSending: 0,
    /** Runs before a write reaches the backend. */
    before: async (_method: string): Promise<void> => undefined,
    fetch: async (input: RequestInfo | URL, init: RequestInit = {}) => {
      const url = input instanceof Request ? input.url : String(input)
      const method = init.method ?? 'GET'
      const isWrite = url.includes('/rest/') && method !== 'GET'
      if (!network.isUp && url.includes('/rest/')) throw new TypeError('fetch failed')
      if (!isWrite) return fetch(input, init)
      await network.before(method)
      network.writes += 1
      network.sending += 1
      network.mostSending = Math.max(network.mostSending, network.sending)
      try {
        const response = await fetch(input, init)
        if (network.loseAnswers-- > 0) throw new TypeError('fetch failed')
        return response
      } finally {
        network.sending -= 1
      }
    },
  }
  network.loseAnswers = 0
  return network
}

interface Device {
  readonly storage: WriteStorage
  readonly network: ReturnType<typeof createNetwork>
  readonly session: ReturnType<typeof memoryStorage>
  readonly name: string
}

const createDevice = (): Device => ({
  storage: createMemoryStorage(),
  network: createNetwork(),
  session: memoryStorage(),
  name: randomUUID(),
})

/** A tab of a device: its client, its collections and its outbox. */
async function openTab(
  device: Device,
  who?: string,
  options: Partial<OutboxOptions> & { version?: string } = {},
) {
  const client = watchedClient({
    url: backend.url,
    key: backend.publishableKey,
    storage: device.session,
    fetch: device.network.fetch,
  })
  if (who !== undefined) await client.auth.signInWithPassword(accountOf(who))
  const { version, ...others } = options
  const todos = createCollection(
    chartroomCollectionOptions({
      client: client as unknown as ChartroomClient<Database>,
      table: 'todos',
      startSync: true,
      ...(version !== undefined && { version }),
    }),
  )
  const conflicts: OutboxWrite[] = []
  const refusals: OutboxWrite[] = []
  const outbox = createOutbox(
    {
      client,
      collections: { todos },
      name: device.name,
      onConflict: write => conflicts.push(write),
      onRefused: write => refusals.push(write),
      ...others,
    },
    { storage: Promise.resolve(device.storage) },
  )
  const close = async () => {
    outbox.dispose()
    await todos.cleanup()
  }
  atTestEnd(close)
  await outbox.ready()
  const add = (title: string, more: Partial<Todo> = {}) => {
    const id = randomUUID()
    return { id, stored: todos.insert({ id, title, ...more }).isPersisted.promise }
  }
  const titles = () => todos.toArray.map(({ title }) => title).sort()
  return { client, todos, outbox, conflicts, refusals, add, titles, close }
}

const isEmpty = async (tab: { readonly outbox: { list(): readonly unknown[] } }) => {
  await expect.poll(() => tab.outbox.list().length).toBe(0)
}
const rows = async () =>
  [...(await sql`select title from todos order by title`)].map(({ title }) => title as string)

test('writes without a network are stored and shown; then each is made once, in order', async () => {
  const device = createDevice()
  const one = await openTab(device, 'skipper')
  const two = await openTab(device)
  await one.todos.preload()
  await two.todos.preload()
  device.network.isUp = false
  const expected: string[] = []
  for (let n = 0; n < 50; n++) {
    const title = `write ${n}`
    expected.push(title)
    await (n % 2 === 0 ? one : two).add(title).stored
  }
  for (const tab of [one, two]) {
    await expect.poll(() => tab.outbox.list().length).toBe(50)
    expect(tab.titles()).toEqual(expected.toSorted())
  }
  expect(await loggedChanges(sql)).toEqual([])
  device.network.isUp = true
  one.outbox.retry()
  two.outbox.retry()
  await isEmpty(one)
  await isEmpty(two)
  const log = await loggedChanges(sql)
  expect(log.map(({ title }) => title)).toEqual(expected)
  expect(new Set(log.map(({ owner }) => owner))).toEqual(new Set([userIds['skipper']]))
  expect(device.network.mostSending).toBe(1)
  await expect.poll(() => one.titles()).toEqual(expected.toSorted())
  await expect.poll(() => two.titles()).toEqual(expected.toSorted())
})

test('a reload shows what is stored, and sends it', async () => {
  const device = createDevice()
  const before = await openTab(device, 'skipper')
  await before.todos.preload()
  const kept = before.add('added before')
  await kept.stored
  await isEmpty(before)
  device.network.isUp = false
  await before.todos.update(kept.id, draft => void (draft.title = 'changed offline')).isPersisted.promise
  await before.add('added offline').stored
  await before.close()
  await before.client.dispose()
  const after = await openTab(device)
  expect(after.titles()).toEqual(['added offline', 'changed offline'])
  device.network.isUp = true
  after.outbox.retry()
  await isEmpty(after)
  expect((await loggedChanges(sql)).map(({ kind, title }) => `${kind} ${title}`)).toEqual([
    'INSERT added before',
    'UPDATE changed offline',
    'INSERT added offline',
  ])
})

test('lost answers: each write has its effect once', async () => {
  const device = createDevice()
  const tab = await openTab(device, 'skipper')
  await tab.todos.preload()
  const retried = async () => {
    device.network.loseAnswers = 1
    const before = device.network.writes
    return {
      async done() {
        await expect.poll(() => device.network.writes).toBe(before + 1)
        await expect.poll(() => tab.outbox.status().phase).toBe('retrying')
        tab.outbox.retry()
        await isEmpty(tab)
      },
    }
  }
  let lost = await retried()
  // Values that the database writes in another way.
  const { id } = tab.add('first', { price: 1.5, due: '2026-05-01T12:00:00.000Z', tags: { b: 1, a: [2] } })
  await lost.done()
  lost = await retried()
  tab.todos.update(id, draft => {
    draft.title = 'second'
    draft.price = '2.50'
  })
  await lost.done()
  lost = await retried()
  tab.todos.delete(id)
  await lost.done()
  expect((await loggedChanges(sql)).map(({ kind, title }) => `${kind} ${title}`)).toEqual([
    'INSERT first',
    'UPDATE second',
    'DELETE second',
  ])
  expect(tab.refusals).toEqual([])
  expect(tab.conflicts).toEqual([])
})

test('another user: the writes of the first are kept, not shown and not sent', async () => {
  const device = createDevice()
  const tab = await openTab(device, 'skipper')
  await tab.todos.preload()
  device.network.isUp = false
  await tab.add('of the skipper').stored
  expect(tab.titles()).toEqual(['of the skipper'])
  await tab.client.auth.signOut()
  await expect.poll(() => tab.titles()).toEqual([])
  await expect.poll(() => tab.outbox.status().phase).toBe('held')
  device.network.isUp = true
  await tab.client.auth.signInWithPassword(accountOf('mate'))
  await tab.todos.preload()
  await tab.add('of the mate').stored
  await expect
    .poll(() => loggedChanges(sql))
    .toMatchObject([{ title: 'of the mate', owner: userIds['mate'] }])
  await expect
    .poll(() => tab.outbox.list())
    .toMatchObject([{ phase: 'held', isOwn: false, userId: userIds['skipper'] }])
  // Nothing of the other user's row.
  expect(JSON.stringify(tab.outbox.list())).not.toContain('of the skipper')
  expect(tab.titles()).toEqual(['of the mate'])
  await tab.client.auth.signOut()
  await tab.client.auth.signInWithPassword(accountOf('skipper'))
  await isEmpty(tab)
  expect(await loggedChanges(sql)).toMatchObject([
    { title: 'of the mate', owner: userIds['mate'] },
    { title: 'of the skipper', owner: userIds['skipper'] },
  ])
})

test('the user changes while a write is being sent', async () => {
  const device = createDevice()
  const tab = await openTab(device, 'skipper')
  await tab.todos.preload()
  let hasBegun = false
  let letGo: () => void = () => undefined
  device.network.before = () =>
    new Promise(resolve => {
      hasBegun = true
      letGo = resolve
    })
  await tab.add('of the skipper').stored
  await expect.poll(() => hasBegun).toBe(true)
  await tab.client.auth.signOut()
  await tab.client.auth.signInWithPassword(accountOf('mate'))
  device.network.before = () => Promise.resolve()
  letGo()
  await expect.poll(() => tab.outbox.status().phase).toBe('held')
  await tab.client.auth.signOut()
  await tab.client.auth.signInWithPassword(accountOf('skipper'))
  await isEmpty(tab)
  expect(await loggedChanges(sql)).toMatchObject([{ kind: 'INSERT', owner: userIds['skipper'] }])
})

test('a conflict is asked, and later writes wait for the answer', async () => {
  const device = createDevice()
  const tab = await openTab(device, 'skipper')
  await tab.todos.preload()
  const { id, stored } = tab.add('first')
  await stored
  await isEmpty(tab)
  device.network.isUp = false
  await tab.todos.update(id, draft => void (draft.title = 'mine')).isPersisted.promise
  await tab.add('later').stored
  await sql`update todos set title = 'theirs' where id = ${id}`
  device.network.isUp = true
  tab.outbox.retry()
  await expect
    .poll(() => tab.conflicts)
    .toMatchObject([
      { kind: 'update', table: 'todos', changes: { title: 'mine' }, theirs: { id, title: 'theirs' } },
    ])
  expect(tab.outbox.status().phase).toBe('asking')
  expect(tab.outbox.list().map(({ phase }) => phase)).toEqual(['asking', 'queued'])
  expect(await rows()).toEqual(['theirs'])
  tab.outbox.keepMine(tab.outbox.list()[0]?.id ?? '')
  await isEmpty(tab)
  expect(await rows()).toEqual(['later', 'mine'])
})

test.each([
  ['keepMine', ['mine'], ['INSERT first', 'DELETE first', 'INSERT mine']],
  ['takeTheirs', [], ['INSERT first', 'DELETE first']],
] as const)('the row of an update is gone: %s', async (answer, left, changes) => {
  const device = createDevice()
  const tab = await openTab(device, 'skipper')
  await tab.todos.preload()
  const { id, stored } = tab.add('first')
  await stored
  await isEmpty(tab)
  device.network.isUp = false
  await tab.todos.update(id, draft => void (draft.title = 'mine')).isPersisted.promise
  await sql`delete from todos`
  device.network.isUp = true
  tab.outbox.retry()
  await expect.poll(() => tab.conflicts).toMatchObject([{ theirs: null }])
  tab.outbox[answer](tab.conflicts[0]?.id ?? '')
  await isEmpty(tab)
  expect(await rows()).toEqual(left)
  await expect.poll(() => tab.titles()).toEqual(left)
  expect((await loggedChanges(sql)).map(({ kind, title }) => `${kind} ${title}`)).toEqual(changes)
})

test('a row with the same key exists: asked, and either row can stay', async () => {
  const device = createDevice()
  const tab = await openTab(device, 'skipper')
  await tab.todos.preload()
  device.network.isUp = false
  const { id, stored } = tab.add('mine')
  await stored
  await sql`insert into todos (id, owner, title) values (${id}, ${userIds['skipper'] ?? ''}, 'theirs')`
  device.network.isUp = true
  tab.outbox.retry()
  await expect.poll(() => tab.conflicts).toMatchObject([{ kind: 'insert', theirs: { title: 'theirs' } }])
  tab.outbox.takeTheirs(tab.conflicts[0]?.id ?? '')
  await isEmpty(tab)
  expect(tab.titles()).toEqual(['theirs'])
  expect(await rows()).toEqual(['theirs'])
})

test('a version column: a delete of a row that has changed is asked', async () => {
  const device = createDevice()
  const tab = await openTab(device, 'skipper', { version: 'order' })
  await sql`insert into todos (id, owner, title, "order") values (${randomUUID()}, ${userIds['skipper'] ?? ''}, 'first', 1)`
  tab.todos.utils.reload()
  await expect.poll(() => tab.titles()).toEqual(['first'])
  device.network.isUp = false
  await tab.todos.delete(tab.todos.toArray[0]?.id ?? '').isPersisted.promise
  expect(tab.titles()).toEqual([])
  await sql`update todos set title = 'theirs', "order" = 2`
  device.network.isUp = true
  tab.outbox.retry()
  await expect.poll(() => tab.conflicts).toMatchObject([{ kind: 'delete', theirs: { order: 2 } }])
  expect(await rows()).toEqual(['theirs'])
  tab.outbox.keepMine(tab.conflicts[0]?.id ?? '')
  await isEmpty(tab)
  expect(await rows()).toEqual([])
})

test('a refusal is shown with its reason, its row is gone, and later writes are made', async () => {
  const device = createDevice()
  const tab = await openTab(device, 'skipper')
  await tab.todos.preload()
  device.network.isUp = false
  await tab.add('forbidden').stored
  await tab.add('of another', { owner: userIds['mate'] ?? '' }).stored
  await tab.add('allowed').stored
  expect(tab.titles()).toEqual(['allowed', 'forbidden', 'of another'])
  device.network.isUp = true
  tab.outbox.retry()
  await expect.poll(() => tab.refusals.length).toBe(2)
  expect(tab.refusals).toMatchObject([
    { phase: 'refused', row: { title: 'forbidden' }, failure: { kind: 'validation', code: '23514' } },
    { phase: 'refused', row: { title: 'of another' }, failure: { kind: 'forbidden', code: '42501' } },
  ])
  await expect.poll(() => tab.titles()).toEqual(['allowed'])
  expect(await rows()).toEqual(['allowed'])
  // It stays in the list over a reload, until it is dismissed.
  await expect.poll(() => tab.outbox.status().phase).toBe('empty')
  await tab.close()
  const after = await openTab(device)
  expect(after.outbox.list().map(({ phase }) => phase)).toEqual(['refused', 'refused'])
  expect(after.titles()).not.toContain('forbidden')
  for (const { id } of after.outbox.list()) after.outbox.discard(id)
  await isEmpty(after)
  expect(await device.storage.list()).toEqual([])
})

test('an answer of the server that a retry can mend is retried', async () => {
  const device = createDevice()
  const tab = await openTab(device, 'skipper')
  await tab.todos.preload()
  await sql.unsafe(`create function public.busy() returns trigger language plpgsql as $$
    begin raise exception 'busy' using errcode = '53300'; end $$;
    create trigger busy before insert on public.todos execute function public.busy()`)
  await tab.add('later').stored
  await expect
    .poll(() => tab.outbox.status())
    .toMatchObject({ phase: 'retrying', failure: { kind: 'server' } })
  expect(tab.titles()).toEqual(['later'])
  await sql.unsafe('drop trigger busy on public.todos; drop function public.busy()')
  tab.outbox.retry()
  await isEmpty(tab)
  expect(await rows()).toEqual(['later'])
})

test('changes from realtime are shown while writes wait', async () => {
  const device = createDevice()
  const tab = await openTab(device, 'skipper')
  await tab.todos.preload()
  await expect.poll(() => tab.todos.utils.status().changes?.data).toBe('live')
  device.network.isUp = false
  await tab.add('waits').stored
  await sql`insert into todos (id, owner, title) values (${randomUUID()}, ${userIds['skipper'] ?? ''}, 'of a phone')`
  await expect.poll(() => tab.titles()).toEqual(['of a phone', 'waits'])
})

test('a storage that is full: the write fails, and its row is gone', async () => {
  const device = createDevice()
  const full = new DOMException('There is no room.', 'QuotaExceededError')
  const tab = await openTab(
    { ...device, storage: { ...device.storage, add: () => Promise.reject(full) } },
    'skipper',
  )
  await tab.todos.preload()
  await expect(tab.add('too much').stored).rejects.toBe(full)
  expect(tab.titles()).toEqual([])
})

test('the machine is recorded, without the rows, and its recording replays exactly', async () => {
  const device = createDevice()
  let recording: Recording | undefined
  const tab = await openTab(device, 'skipper', {
    record: (machine, options) => {
      const own = record(machine, options)
      recording = own as unknown as Recording
      return own
    },
  })
  await tab.todos.preload()
  await tab.add('a private title').stored
  await isEmpty(tab)
  await tab.add('forbidden').stored
  await expect.poll(() => tab.refusals.length).toBe(1)
  const lines = recording?.lines().join('\n') ?? ''
  expect(lines).toContain('write.refused')
  expect(lines).not.toContain('a private title')
  const read = await readTrace(lines)
  if (read.kind !== 'trace') throw new Error(read.message)
  expect(verify(read.trace, systems)).toMatchObject({ outcome: 'exact' })
})
