// A server without Chartroom that answers the requests of the load scenarios: no keys, no policies, no checks.
// `node peer.ts DIR ENGINE` prints a JSON line with its URL and runs until SIGTERM.
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import * as v from 'valibot'
import { WebSocketServer, type WebSocket } from 'ws'
import { openPeerDatabase, type PeerDatabase } from './peer-database.ts'

/** What a server under load prints when it has started. */
export interface Ready {
  readonly url: string
  readonly publishableKey: string
  readonly secretKey: string
}

const READS: Readonly<Record<string, string>> = {
  '/rest/v1/vessels?select=name,rig&limit=20': `
    select coalesce(json_agg(found), '[]')::text as answer
    from (select name, rig from vessels limit 20) found`,
  '/rest/v1/vessels?select=name,voyages(departure)&limit=20': `
    select coalesce(json_agg(found), '[]')::text as answer
    from (
      select name, coalesce(
        (select json_agg(json_build_object('departure', departure)) from voyages where vessel = vessels.id),
        '[]'
      ) as voyages
      from vessels limit 20
    ) found`,
}

const INSERT = `
  insert into vessels (name, rig)
  select name, rig from json_to_record($1::json) as sent (name text, rig text)`

const [dir = '', engine] = process.argv.slice(2)
const files = join(dir, 'files')
await mkdir(files, { recursive: true })
const database = await openPeerDatabase(engine === 'postgres' ? 'postgres' : 'pglite', join(dir, 'database'))
const server = createServer((request, response) => {
  answer(database, request, response).catch((error: unknown) => {
    if (!response.headersSent) response.writeHead(500)
    response.end(error instanceof Error ? error.message : String(error))
  })
})
relay(new WebSocketServer({ server }))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const ready: Ready = { url: `http://127.0.0.1:${port}`, publishableKey: 'none', secretKey: 'none' }
  console.log(JSON.stringify(ready))
})
process.once('SIGTERM', () => {
  server.closeAllConnections()
  void database.close().finally(() => process.exit())
})

async function answer(
  { query }: PeerDatabase,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', url = '' } = request
  const read = READS[url]
  const [, file] = /^\/storage\/v1\/object\/load\/(\d+\.bin)$/.exec(url) ?? []
  if (method === 'GET' && read !== undefined) {
    const body = await query(read)
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  } else if (method === 'POST' && url === '/rest/v1/vessels') {
    await query(INSERT, [await text(request)])
    response.writeHead(201).end()
  } else if (method === 'POST' && url === '/storage/v1/bucket') {
    request.resume()
    response.writeHead(200).end('{}')
  } else if (method === 'POST' && file !== undefined) {
    await pipeline(request, createWriteStream(join(files, file)))
    response.writeHead(200).end('{}')
  } else if (method === 'GET' && file !== undefined) {
    const path = join(files, file)
    response.writeHead(200, { 'content-length': (await stat(path)).size })
    await pipeline(createReadStream(path), response)
  } else response.writeHead(404).end(`The peer does not answer ${method} ${url}.`)
}

/** Acknowledges joins, and sends every other message to all sockets on its topic, the sender included. */
function relay(sockets: WebSocketServer): void {
  const messageSchema = v.object({ topic: v.string(), event: v.string(), ref: v.string() })
  const topics = new Map<string, Set<WebSocket>>()
  sockets.on('connection', socket => {
    socket.on('message', (data, isBinary) => {
      if (!(data instanceof Buffer)) return
      const { topic, event, ref } = v.parse(messageSchema, JSON.parse(data.toString()))
      const members = topics.get(topic) ?? new Set()
      topics.set(topic, members)
      if (event === 'phx_join') {
        members.add(socket)
        socket.on('close', () => members.delete(socket))
        const payload = { status: 'ok', response: {} }
        socket.send(JSON.stringify({ topic, event: 'phx_reply', ref, payload }))
      } else for (const member of members) member.send(data, { binary: isBinary })
    })
  })
}
