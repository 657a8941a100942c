// Backends that the files of a worker use in turn, one for each set of options.
import { createClient } from '@supabase/supabase-js'
import { startBackend, type Backend, type BackendOptions } from '../../backend/index.ts'
import type { Clock } from '../../backend/shared/clock.ts'
import { noteState, type DatabaseState } from './database-state.ts'
import { isOnServer } from './engine.ts'
import { atFileEnd } from './endings.ts'
import { forAllFiles } from './left-behind.ts'

interface Shared {
  readonly backend: Backend
  readonly state: DatabaseState
  /** Where the contents of the first files are read. */
  readonly files: readonly string[]
  /** Follows the clock of the file that uses it, and the machine's otherwise. */
  readonly time: { source: Clock }
}

/** Those that no file uses at the moment, by their options. They end with their process. */
const idle = new Map<string, Shared[]>()

/** What files have in common; a backend with other options is rarely used twice. */
const SHAREABLE: ReadonlySet<string> = new Set<keyof BackendOptions>([
  'auth',
  'autoExposeNewTables',
  'clock',
  'data',
  'databaseAccess',
  'keys',
])

/** Whether files may share a backend with these options. A server's database can't be put back by its own user. */
export const isShareable = (options: BackendOptions): boolean =>
  !isOnServer &&
  !process.env['CHARTROOM_AUTH_URL'] &&
  options.data === 'memory' &&
  Object.keys(options.auth ?? {}).every(name => name === 'passwordCost') &&
  Object.keys(options.databaseAccess ?? {}).length === 0 &&
  Object.keys(options).every(name => SHAREABLE.has(name))

/** A backend in memory that no other file uses until this one ends. */
export async function takeBackend({ clock, ...given }: BackendOptions): Promise<Backend> {
  // Reading its state needs a connection, for which tests may ask, too.
  const options = { ...given, databaseAccess: {} }
  const key = JSON.stringify(Object.entries(options).toSorted(([a], [b]) => a.localeCompare(b)))
  const waiting = idle.get(key) ?? []
  idle.set(key, waiting)
  const shared = waiting.pop() ?? (await forAllFiles(() => start(options)))
  shared.time.source = clock ?? Date
  let isSpent = false
  const { backend } = shared
  atFileEnd(async () => {
    if (isSpent) return
    if (await putBack(shared)) waiting.push(shared)
    else await backend.stop()
  })
  return {
    ...backend,
    stop() {
      isSpent = true
      return backend.stop()
    },
  }
}

async function start(options: BackendOptions): Promise<Shared> {
  const time: Shared['time'] = { source: Date }
  const clock = { now: () => time.source.now() }
  const backend = await startBackend({ ...options, clock })
  return { backend, time, files: await filesOf(backend), state: await noteState(backend.databaseUrl ?? '') }
}

async function filesOf(backend: Backend): Promise<string[]> {
  const { storage } = createClient(backend.url, backend.secretKey)
  const { data: buckets } = await storage.listBuckets()
  const each = (buckets ?? []).map(async ({ id }) => {
    const { data } = await storage.from(id).listV2({ limit: 1_000 })
    return (data?.objects ?? []).map(
      ({ name }) => `${backend.url}/storage/v1/object/authenticated/${id}/${name}`,
    )
  })
  return (await Promise.all(each)).flat()
}

/** Whether the contents are there. They are no part of the database: a file that was removed or overwritten lost them. */
async function hasFiles({ backend, files }: Shared): Promise<boolean> {
  const headers = { apikey: backend.secretKey }
  const answers = await Promise.all(files.map(file => fetch(file, { method: 'HEAD', headers })))
  return answers.every(({ ok }) => ok)
}

/** Removes what a file left. Returns whether the next file finds it like a new one. */
async function putBack(shared: Shared): Promise<boolean> {
  const { backend, state, time } = shared
  time.source = Date
  backend.inbox.clear()
  backend.faults.replace({ faults: [] })
  for (const { id } of backend.faults.heldRequests()) backend.faults.release(id)
  return (await state.restore()) && (await hasFiles(shared))
}
