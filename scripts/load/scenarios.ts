// The load scenarios: REST clients, sockets, large files, and kills amid writes.
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import * as v from 'valibot'
import { WebSocket } from 'ws'
import { Journal, checksum } from '../soak/journal.ts'
import type { MemoryUse } from './memory.ts'
import type { LoadedServer } from './server.ts'
import { accept, fetchOk, inParallel, Tally } from './tally.ts'

export interface Scenario {
  readonly about: string
  /** Additional flags of the backend. */
  readonly flags: readonly string[]
  /** The names of its figures. */
  readonly figures: readonly string[]
  runOnBackend(backend: LoadedServer): Promise<ScenarioResult>
  /** Runs the same, as far as possible, without Chartroom. */
  runOnPeer(peer: LoadedServer): Promise<ScenarioResult>
}

export interface ScenarioResult {
  readonly tallies: readonly Tally[]
  readonly seconds: number
  readonly memory?: MemoryUse
  /** The results that are compared, by name. */
  readonly figures: Readonly<Record<string, number>>
  /** Further lines for the report. */
  readonly notes: readonly string[]
  /** What must not happen. */
  readonly problems: readonly string[]
}

const REST_CLIENTS = 200
const REST_MS = 20_000
const SOCKETS = 500
const BROADCASTS = 100
const BROADCASTS_PER_SECOND = 20
const FILES = 100
const FILE_BYTES = 10 * 1024 * 1024
const FILES_AT_ONCE = 20
const ROUNDS = 10
const ROUND_MS = 2_000

const REQUESTS = 'requests per second'
const DELIVERY = 'delivery, median ms'
const UP = 'upload, MB/s'
const DOWN = 'download, MB/s'
const RESTART = 'restart, median ms'
const LOST = 'acknowledged writes lost'

/** Times and watches a scenario; errors of its operations are problems. */
async function measure(
  server: LoadedServer,
  tallies: readonly Tally[],
  work: () => Promise<Pick<ScenarioResult, 'figures' | 'notes'>>,
): Promise<ScenarioResult> {
  const start = performance.now()
  let outcome: Pick<ScenarioResult, 'figures' | 'notes'> = { figures: {}, notes: [] }
  const memory = await server.watchMemory(async () => {
    outcome = await work()
  })
  return {
    tallies,
    seconds: (performance.now() - start) / 1_000,
    memory,
    ...outcome,
    problems: tallies.flatMap(tally => tally.errors.map(error => `${tally.name}: ${error}`)),
  }
}

async function runRest(server: LoadedServer): Promise<ScenarioResult> {
  const { url } = server.info
  const headers = { ...server.headers(), 'content-type': 'application/json' }
  const [select, embed, insert] = [new Tally('select'), new Tally('embed'), new Tally('insert')]
  const readVessels = async (columns: string) => {
    await (await fetchOk(`${url}/rest/v1/vessels?select=${columns}&limit=20`, { headers })).arrayBuffer()
  }
  const call = async (client: number, n: number) => {
    // Of five calls, three select, one embeds and one inserts.
    const kind = (client + n) % 5
    if (kind < 3) return select.measure(() => readVessels('name,rig'))
    if (kind === 3) return embed.measure(() => readVessels('name,voyages(departure)'))
    const body = JSON.stringify({ name: `load ${client}/${n}`, rig: 'sloop' })
    return insert.measure(() => fetchOk(`${url}/rest/v1/vessels`, { method: 'POST', headers, body }))
  }
  return measure(server, [select, embed, insert], async () => {
    const end = performance.now() + REST_MS
    const client = async (_: unknown, number: number) => {
      for (let n = 0; performance.now() < end; n += 1) await call(number, n)
    }
    await Promise.all(Array.from({ length: REST_CLIENTS }, client))
    const done = [select, embed, insert].reduce((sum, tally) => sum + tally.result().done, 0)
    const rate = Math.round((done / REST_MS) * 1_000)
    return { figures: { [REQUESTS]: rate }, notes: [`${rate} ${REQUESTS}`] }
  })
}

/** The messages that count: answers to the join, and broadcasts. */
const messageSchema = v.variant('event', [
  v.object({
    event: v.literal('phx_reply'),
    ref: v.literal('1'),
    payload: v.looseObject({ status: v.string() }),
  }),
  v.object({
    event: v.literal('broadcast'),
    payload: v.object({ payload: v.object({ sentAt: v.number() }) }),
  }),
])

/** A socket that has joined the topic; `onBroadcast` gets the time at which a broadcast was sent. */
async function join(server: LoadedServer, onBroadcast: (sentAt: number) => void): Promise<WebSocket> {
  const { url, publishableKey } = server.info
  const address = `${url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${publishableKey}&vsn=1.0.0`
  const socket = new WebSocket(address)
  const joined = Promise.withResolvers<void>()
  socket.on('error', joined.reject)
  socket.on('close', () => joined.reject(new Error('The socket was closed.')))
  socket.on('message', data => {
    const message = v.safeParse(messageSchema, JSON.parse(data instanceof Buffer ? data.toString() : '{}'))
    if (!message.success) return
    if (message.output.event === 'broadcast') onBroadcast(message.output.payload.payload.sentAt)
    else if (message.output.payload.status === 'ok') joined.resolve()
    else joined.reject(new Error(JSON.stringify(message.output.payload)))
  })
  await Promise.race([once(socket, 'open'), joined.promise])
  const config = { broadcast: { self: true, ack: false }, presence: { key: '' } }
  const payload = { config }
  socket.send(JSON.stringify({ topic: 'realtime:load', event: 'phx_join', payload, ref: '1', join_ref: '1' }))
  await joined.promise
  return socket
}

async function runSockets(server: LoadedServer): Promise<ScenarioResult> {
  const [joins, deliveries] = [new Tally('join'), new Tally('delivery')]
  const sockets: WebSocket[] = []
  return measure(server, [joins, deliveries], async () => {
    await inParallel(SOCKETS, 50, () =>
      joins.measure(async () => {
        sockets.push(await join(server, sentAt => deliveries.add(performance.now() - sentAt)))
      }),
    )
    for (let n = 0; n < BROADCASTS; n += 1) {
      const payload = { type: 'broadcast', event: 'load', payload: { sentAt: performance.now() } }
      sockets[0]?.send(JSON.stringify({ topic: 'realtime:load', event: 'broadcast', payload, ref: `b${n}` }))
      await wait(1_000 / BROADCASTS_PER_SECOND)
    }
    const expected = SOCKETS * BROADCASTS
    for (let waited = 0; waited < 100 && deliveries.result().done < expected; waited += 1) await wait(100)
    const missing = expected - deliveries.result().done
    if (missing > 0) deliveries.fail('a broadcast was not delivered', missing)
    for (const socket of sockets) socket.terminate()
    const { done, p50 } = deliveries.result()
    return { figures: { [DELIVERY]: p50 }, notes: [`${done} of ${expected} broadcasts delivered`] }
  })
}

async function runFiles(server: LoadedServer): Promise<ScenarioResult> {
  const { url } = server.info
  const bucket = JSON.stringify({ id: 'load', name: 'load', public: false })
  const jsonHeaders = { ...server.headers(), 'content-type': 'application/json' }
  await fetchOk(`${url}/storage/v1/bucket`, { method: 'POST', headers: jsonHeaders, body: bucket })
  const [up, down] = [new Tally('upload, 10 MB'), new Tally('download, 10 MB')]
  // Random bytes, with the number of the file in front.
  const content = randomBytes(FILE_BYTES)
  const fileOf = (n: number) => {
    const bytes = Buffer.from(content)
    bytes.writeUInt32BE(n)
    return bytes
  }
  const sums = new Map<number, string>()
  const headers = { ...server.headers(), 'content-type': 'application/octet-stream' }
  const upload = (n: number) => {
    const bytes = fileOf(n)
    sums.set(n, checksum(bytes))
    const address = `${url}/storage/v1/object/load/${n}.bin`
    return up.measure(() => fetchOk(address, { method: 'POST', headers, body: bytes }))
  }
  const download = (n: number) =>
    down.measure(async () => {
      const response = await fetchOk(`${url}/storage/v1/object/load/${n}.bin`, { headers: server.headers() })
      const hash = createHash('sha256')
      if (response.body) for await (const chunk of response.body) hash.update(chunk)
      if (hash.digest('hex') !== sums.get(n)) throw new Error('wrong contents')
    })
  return measure(server, [up, down], async () => {
    const start = performance.now()
    await inParallel(FILES, FILES_AT_ONCE, upload)
    const middle = performance.now()
    await inParallel(FILES, FILES_AT_ONCE, download)
    const speed = (milliseconds: number) => Math.round((FILES * FILE_BYTES) / 1e6 / (milliseconds / 1_000))
    const [upSpeed, downSpeed] = [speed(middle - start), speed(performance.now() - middle)]
    return {
      figures: { [UP]: upSpeed, [DOWN]: downSpeed },
      notes: [`up ${upSpeed} MB/s, down ${downSpeed} MB/s`],
    }
  })
}

type Write = (n: number) => Promise<void>

/** Repeats several writes concurrently until the server has been killed. */
async function writeUntilKilled(server: LoadedServer, writes: readonly Write[]): Promise<void> {
  let isKilled = false
  const repeat = async (write: Write) => {
    for (let n = 0; !isKilled; n += 1) await write(n).catch(() => undefined)
  }
  const writers = writes.map(repeat)
  await wait(ROUND_MS)
  await server.kill()
  isKilled = true
  await Promise.all(writers)
}

/** Writes to all services; only acknowledged writes are journaled. */
function journaledWrites(backend: LoadedServer, journal: Journal, round: number): readonly Write[] {
  const client = backend.client()
  return [
    async n => {
      const name = `kill ${round}/${n}`
      accept(await client.from('vessels').insert({ name, rig: 'new' }))
      journal.rows.set(name, new Set(['new']))
      // Until the answer arrives, the row may have either value.
      journal.rows.set(name, new Set(['new', 'changed']))
      accept(await client.from('vessels').update({ rig: 'changed' }).eq('name', name))
      journal.rows.set(name, new Set(['changed']))
    },
    async n => {
      const [path, bytes] = [`${round}/${n}.bin`, randomBytes(200_000)]
      accept(await client.storage.from('kills').upload(path, bytes))
      journal.files.set(path, checksum(bytes))
    },
    async n => {
      const email = `kill-${round}-${n}@harbour.test`
      accept(await client.auth.admin.createUser({ email, password: 'load-password', email_confirm: true }))
      journal.users.add(email)
    },
  ]
}

async function runKills(backend: LoadedServer): Promise<ScenarioResult> {
  accept(await backend.client().storage.createBucket('kills'))
  const [journal, restarts] = [new Journal(), new Tally('restart after kill -9')]
  const start = performance.now()
  for (let round = 0; round < ROUNDS; round += 1) {
    await writeUntilKilled(backend, journaledWrites(backend, journal, round))
    restarts.add(await backend.start())
  }
  const lost = await journal.lost(backend.client(), 'kills')
  return {
    tallies: [restarts],
    seconds: (performance.now() - start) / 1_000,
    figures: { [RESTART]: restarts.result().p50, [LOST]: lost.length },
    notes: [`${journal.size} writes acknowledged, ${lost.length} lost`],
    problems: lost.map(what => `lost: ${what}`),
  }
}

/** The bare engine amid inserts. The peer has no users and no index of files whose loss could be compared. */
async function runPeerKills(peer: LoadedServer): Promise<ScenarioResult> {
  const restarts = new Tally('restart after kill -9')
  const start = performance.now()
  let inserted = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const { url } = peer.info
    const headers = { ...peer.headers(), 'content-type': 'application/json' }
    const insert = async (n: number) => {
      const body = JSON.stringify({ name: `kill ${round}/${n}`, rig: 'new' })
      await fetchOk(`${url}/rest/v1/vessels`, { method: 'POST', headers, body })
      inserted += 1
    }
    await writeUntilKilled(peer, [insert])
    restarts.add(await peer.start())
  }
  return {
    tallies: [restarts],
    seconds: (performance.now() - start) / 1_000,
    figures: { [RESTART]: restarts.result().p50 },
    notes: [`${inserted} inserts acknowledged, not compared`],
    problems: inserted > 0 ? [] : ['no insert was acknowledged'],
  }
}

/** Sends the same requests to the backend and to the peer. */
function onBoth(run: Scenario['runOnBackend']): Pick<Scenario, 'runOnBackend' | 'runOnPeer'> {
  return { runOnBackend: run, runOnPeer: run }
}

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  rest: {
    about: `${REST_CLIENTS} REST clients for ${REST_MS / 1_000} s`,
    flags: [],
    figures: [REQUESTS],
    ...onBoth(runRest),
  },
  sockets: {
    about: `${SOCKETS} sockets on one topic, ${BROADCASTS} broadcasts`,
    flags: [
      `--realtime-limit=maxConcurrentUsers=${SOCKETS}`,
      '--realtime-limit=maxEventsPerSecond=100000',
      '--realtime-limit=maxJoinsPerSecond=1000',
    ],
    figures: [DELIVERY],
    ...onBoth(runSockets),
  },
  files: {
    about: `${FILES} uploads of 10 MB, ${FILES_AT_ONCE} at a time, then downloads`,
    flags: [],
    figures: [UP, DOWN],
    ...onBoth(runFiles),
  },
  kills: {
    about: `${ROUNDS} × kill -9 amid writes`,
    flags: [],
    figures: [RESTART, LOST],
    runOnBackend: runKills,
    runOnPeer: runPeerKills,
  },
}
