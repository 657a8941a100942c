// The load: operations that run in parallel until stopped, each journaled once it is acknowledged.
import { randomBytes } from 'node:crypto'
import type { SupabaseClient } from '@supabase/supabase-js'
import { checksum, type Journal } from './journal.ts'
import type { Server } from './server.ts'

export const BUCKET = 'soak'

/** Results of one operation's calls. */
export interface Tally {
  done: number
  /** Refused during a deliberate failure. */
  refused: number
  readonly errors: string[]
  /** Durations of undisturbed calls. */
  readonly milliseconds: number[]
}

export interface Load {
  readonly tallies: ReadonlyMap<string, Tally>
  /** Resolves once all running calls have ended. */
  stop(): Promise<void>
}

/** Throws on refusal; then nothing is journaled. */
type Operation = (client: SupabaseClient, n: number) => Promise<void>

export interface Surroundings {
  readonly server: Server
  readonly journal: Journal
  /** Increments with every change; odd during a deliberate failure. */
  readonly disturbance: { readonly count: number }
}

export function startLoad({ server, journal, disturbance }: Surroundings, pauseMs: number): Load {
  const tallies = new Map<string, Tally>()
  let isStopped = false
  const repeat = async (name: string, operation: Operation) => {
    const tally: Tally = { done: 0, refused: 0, errors: [], milliseconds: [] }
    tallies.set(name, tally)
    for (let n = 0; !isStopped; n += 1) {
      const [before, start] = [disturbance.count, performance.now()]
      const isQuiet = () => before % 2 === 0 && before === disturbance.count
      try {
        await operation(server.client(), n)
        tally.done += 1
        if (isQuiet()) tally.milliseconds.push(performance.now() - start)
      } catch (error) {
        if (isQuiet()) tally.errors.push(error instanceof Error ? error.message : JSON.stringify(error))
        else tally.refused += 1
      }
      await new Promise(resolve => setTimeout(resolve, pauseMs))
    }
  }
  const running = Object.entries(operations(server, journal)).map(([name, run]) => repeat(name, run))
  return {
    tallies,
    async stop() {
      isStopped = true
      await Promise.all(running)
    },
  }
}

function operations(server: Server, journal: Journal): Readonly<Record<string, Operation>> {
  const insert = (writer: string): Operation => {
    return async (client, n) => {
      const name = `${writer}/${n}`
      accept(await client.from('vessels').insert({ name, rig: 'new' }))
      journal.rows.set(name, new Set(['new']))
    }
  }
  return {
    insert: insert('a'),
    'insert, second writer': insert('b'),
    async update(client, n) {
      const names = [...journal.rows.keys()]
      const name = names[n % Math.max(1, names.length)]
      const values = name === undefined ? undefined : journal.rows.get(name)
      if (name === undefined || !values) return
      const rig = `changed ${n}`
      // Until the response arrives, the row may have either value.
      values.add(rig)
      accept(await client.from('vessels').update({ rig }).eq('name', name))
      journal.rows.set(name, new Set([rig]))
    },
    async select(client) {
      accept(await client.from('vessels').select('name, rig, voyages(departure)').limit(50))
    },
    async upload(client, n) {
      const [path, bytes] = [`plain/${n}.bin`, randomBytes(20_000)]
      accept(await client.storage.from(BUCKET).upload(path, bytes))
      journal.files.set(path, checksum(bytes))
    },
    async 'resumable upload'(_client, n) {
      const [path, bytes] = [`resumable/${n}.bin`, randomBytes(20_000)]
      await uploadInParts(server, path, bytes)
      journal.files.set(path, checksum(bytes))
    },
    async 'sign up and in'(client, n) {
      const [email, password] = [`soak-${n}@harbour.test`, 'soak-password']
      accept(await client.auth.admin.createUser({ email, password, email_confirm: true }))
      journal.users.add(email)
      accept(await client.auth.signInWithPassword({ email, password }))
    },
    async 'socket: join, broadcast, row change'(client, n) {
      await visitRealtime(client, n)
    },
  }
}

function accept({ error }: { readonly error: unknown }): void {
  if (error) throw error instanceof Error ? error : new Error(JSON.stringify(error))
}

async function uploadInParts({ info }: Server, path: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const headers = { apikey: info.secretKey, 'tus-resumable': '1.0.0' }
  const encode = (text: string) => Buffer.from(text).toString('base64')
  const metadata = `bucketName ${encode(BUCKET)},objectName ${encode(path)}`
  const begun = await fetch(`${info.url}/storage/v1/upload/resumable`, {
    method: 'POST',
    headers: { ...headers, 'upload-length': String(bytes.length), 'upload-metadata': metadata },
  })
  if (!begun.ok) throw new Error(`Upload refused with ${begun.status}`)
  const half = bytes.length / 2
  for (const offset of [0, half]) {
    const response = await fetch(new URL(begun.headers.get('location') ?? '', info.url), {
      method: 'PATCH',
      headers: {
        ...headers,
        'upload-offset': String(offset),
        'content-type': 'application/offset+octet-stream',
      },
      body: bytes.subarray(offset, offset + half),
    })
    if (!response.ok) throw new Error(`Part refused with ${response.status}`)
  }
}

const REALTIME_MS = 15_000

/** Joins a topic, and waits for its own broadcast and for a row change. */
async function visitRealtime(client: SupabaseClient, n: number): Promise<void> {
  const channel = client.channel(`soak ${n}`, { config: { broadcast: { self: true } } })
  const [broadcast, change] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const late = AbortSignal.timeout(REALTIME_MS)
  const timeout = new Promise<never>((_resolve, reject) =>
    late.addEventListener('abort', () => reject(new Error('Realtime took longer than 15 s'))),
  )
  channel
    .on('broadcast', { event: 'hello' }, () => broadcast.resolve())
    .on('postgres_changes', { event: 'UPDATE', schema: 'public', table: 'vessels' }, () => change.resolve())
  const live = new Promise<void>(resolve =>
    channel.on('system', {}, ({ status }) => status === 'ok' && resolve()),
  )
  try {
    channel.subscribe()
    await Promise.race([live, timeout])
    await channel.send({ type: 'broadcast', event: 'hello', payload: { n } })
    accept(
      await client
        .from('vessels')
        .update({ call_sign: `N${n}` })
        .eq('name', 'Marigold'),
    )
    await Promise.race([Promise.all([broadcast.promise, change.promise]), timeout])
  } finally {
    timeout.catch(() => undefined)
    await client.removeAllChannels()
    await client.realtime.disconnect()
  }
}
