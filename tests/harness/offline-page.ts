// The page of the browser test of offline data: a client, a collection and an outbox, as an app makes them.
import { createCollection } from '@tanstack/db'
import { createChartroomClient, type ChartroomClient } from '../../src/public/index.ts'
import { chartroomCollectionOptions, type OutboxWrite, startOutbox } from '../../src/public/db.ts'

interface Todo {
  readonly id: string
  title: string
}

/** What a test does with the page. */
export interface OfflinePage {
  readonly client: ChartroomClient
  readonly ready: () => Promise<void>
  readonly add: (title: string) => Promise<string>
  readonly rename: (id: string, title: string) => Promise<void>
  readonly titles: () => string[]
  readonly list: () => readonly OutboxWrite[]
  readonly status: () => { readonly phase: string; readonly isDurable: boolean }
  readonly changes: () => string | undefined
  readonly keepMine: (id: string) => void
  readonly conflicts: OutboxWrite[]
  readonly refusals: OutboxWrite[]
}

declare global {
  interface Window {
    offlinePage: OfflinePage
  }
}

const key = new URLSearchParams(location.search).get('key') ?? ''
const client = createChartroomClient({ url: location.origin, key })
const todos = createCollection(
  chartroomCollectionOptions({
    client: client as ChartroomClient<{ public: { Tables: { todos: { Row: Todo } } } }>,
    table: 'todos',
    startSync: true,
  }),
)
const conflicts: OutboxWrite[] = []
const refusals: OutboxWrite[] = []
const outbox = startOutbox({
  client,
  collections: { todos },
  onConflict: write => void conflicts.push(write),
  onRefused: write => void refusals.push(write),
})

window.offlinePage = {
  client: client as ChartroomClient,
  ready: outbox.ready,
  async add(title) {
    const id = crypto.randomUUID()
    await todos.insert({ id, title }).isPersisted.promise
    return id
  },
  async rename(id, title) {
    await todos.update(id, draft => void (draft.title = title)).isPersisted.promise
  },
  titles: () => todos.toArray.map(({ title }) => title).sort(),
  list: outbox.list,
  status: outbox.status,
  changes: () => todos.utils.status().changes?.data,
  keepMine: outbox.keepMine,
  conflicts,
  refusals,
}
