// `chartroom serve`: who may send and read, what late pages receive, and resilience to bad clients.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWebSocketInspector } from '@statelyai/inspect'
import { WebSocket } from 'ws'
import { createActor, createMachine } from 'xstate'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { Backlog } from '../../src/cli/serve-backlog.ts'
import {
  CONSOLE_PATH,
  type InspectorServer,
  mayRead,
  mayTell,
  startServer,
} from '../../src/cli/serve-server.ts'
import { serveCommand } from '../../src/cli/serve.ts'
import { ran } from '../harness/command.ts'

let page = ''
let server: InspectorServer
const open: WebSocket[] = []

beforeAll(async () => {
  page = await mkdtemp(join(tmpdir(), 'chartroom-page-'))
  await writeFile(join(page, 'console.html'), '<title>Chartroom console</title>')
})
afterAll(() => rm(page, { recursive: true }))
beforeEach(async () => {
  server = await startServer({ port: 0, page, allowed: ['https://app.example'] })
})
afterEach(async () => {
  for (const socket of open.splice(0)) socket.terminate()
  await server.stop()
})

/** The messages that a page receives from now on, without the server's own id. */
function listen(headers: Record<string, string> = { origin: `http://localhost:${server.port}` }) {
  const received: unknown[] = []
  const socket = new WebSocket(`ws://localhost:${server.port}${CONSOLE_PATH}`, { headers })
  open.push(socket)
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Record<string, unknown>
    if (!('run' in message)) received.push(message)
  })
  return received
}

/** A connected app, or the reason for its rejection. */
function app(headers: Record<string, string> = {}): Promise<WebSocket | string> {
  const socket = new WebSocket(`ws://localhost:${server.port}/`, { headers })
  open.push(socket)
  return new Promise(resolve => {
    socket.once('open', () => resolve(socket))
    socket.once('error', error => resolve(error.message))
  })
}

async function connected(headers?: Record<string, string>): Promise<WebSocket> {
  const socket = await app(headers)
  if (typeof socket === 'string') throw new Error(socket)
  return socket
}

/** The response for a path, under any host name. */
function get(path: string, host = `localhost:${server.port}`): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const ask = request({ host: '127.0.0.1', port: server.port, path, headers: { host } }, response => {
      let body = ''
      response.on('data', part => (body += String(part)))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
    })
    ask.on('error', reject)
    ask.end()
  })
}

describe('access', () => {
  const host = 'localhost:8080'
  test.each([
    [{ host, origin: undefined }, true],
    [{ host: '127.0.0.1:8080', origin: 'http://localhost:5173' }, true],
    [{ host: '[::1]:8080', origin: 'http://[::1]:5173' }, true],
    [{ host, origin: 'https://app.example' }, true],
    [{ host, origin: 'https://evil.example' }, false],
    [{ host, origin: 'http://localhost.evil.example' }, false],
    [{ host, origin: 'null' }, false],
    [{ host: 'evil.example:8080', origin: undefined }, false],
    [{ host: undefined, origin: undefined }, false],
  ])('%j may send: %s', (caller, may) => expect(mayTell(caller, ['https://app.example'])).toBe(may))

  test.each([
    [{ host, origin: 'http://localhost:8080' }, true],
    [{ host, origin: 'http://localhost:5173' }, false],
    [{ host, origin: undefined }, false],
    [{ host: 'evil.example:8080', origin: 'http://evil.example:8080' }, false],
  ])('%j may read: %s', (caller, may) => expect(mayRead(caller)).toBe(may))

  test('rejects foreign origins and host names, for sockets and requests', async () => {
    expect(await app({ origin: 'https://evil.example' })).toBe('Unexpected server response: 403')
    expect(await get('/', 'evil.example')).toEqual({
      status: 403,
      body: 'This host name does not belong to this machine.\n',
    })
    expect(await get('/')).toEqual({ status: 200, body: '<title>Chartroom console</title>' })
    expect((await get('/../../etc/passwd')).status).toBe(404)
    expect((await get('/%2e%2e/%2e%2e/etc/passwd')).status).toBe(404)
    expect((await get('/%')).status).toBe(404)
  })
})

test("messages of Stately's own inspector reach a connected page and a later one", async () => {
  const early = listen()
  await vi.waitFor(() => expect(early).toEqual([{ apps: [] }]))
  const inspector = createWebSocketInspector({ url: `ws://localhost:${server.port}` })
  createActor(createMachine({ id: 'lamp' }), { inspect: inspector.inspect }).start()
  const types = (received: readonly unknown[]) =>
    received.flatMap(message => {
      const { text } = message as { text?: string }
      return text === undefined ? [] : [(JSON.parse(text) as { type: string }).type]
    })
  const all = ['@xstate.actor', '@xstate.event', '@xstate.snapshot']
  await vi.waitFor(() => expect(types(early)).toEqual(all))
  const late = listen()
  await vi.waitFor(() => expect(types(late)).toEqual(all))
  await vi.waitFor(() => expect(late.at(-1)).toEqual({ apps: ['app 1'] }))
  inspector.stop()
  await vi.waitFor(() => expect(late.at(-1)).toEqual({ disconnected: 'app 1' }))
})

test('a client that sends garbage, sends too much, or disconnects does not affect others', async () => {
  const received = listen()
  const good = await connected()
  const bad = await connected()
  bad.on('error', () => undefined)
  bad.send('{"type":')
  bad.send(Buffer.from([0, 1, 2]))
  bad.send('x'.repeat(17 * 2 ** 20))
  await vi.waitFor(() => expect(bad.readyState).toBe(WebSocket.CLOSED))
  good.send('still here')
  await vi.waitFor(() => expect(received.at(-1)).toEqual({ n: 2, from: 'app 1', text: 'still here' }))
})

test('a page of another origin reads nothing', async () => {
  const received = listen({ origin: 'http://localhost:1' })
  open.at(-1)?.on('error', () => undefined)
  const good = await connected()
  good.send('secret')
  await vi.waitFor(() => expect(open[0]?.readyState).toBe(WebSocket.CLOSED))
  expect(received).toEqual([])
})

test('when old messages are dropped, each living actor keeps its announcement and its last state', () => {
  const backlog = new Backlog({ messages: 20, characters: 1e6 })
  const text = (type: string, sessionId: string, status = 'active') =>
    JSON.stringify({ type: `@xstate.${type}`, sessionId, snapshot: { status } })
  const reported = [
    text('actor', 'a'),
    text('actor', 'b'),
    text('snapshot', 'a'),
    text('snapshot', 'b', 'done'),
  ]
  let n = 0
  for (const one of reported) backlog.add({ n: (n += 1), from: 'app', text: one })
  for (let at = 0; at < 30; at += 1) backlog.add({ n: (n += 1), from: 'app', text: `${at}` })
  expect(backlog.all().map(({ n: at }) => at)).toEqual([
    1,
    3,
    ...Array.from({ length: 12 }, (_, at) => at + 23),
  ])
})

describe('the command', () => {
  test('reports that a port is taken, and what to do', async () => {
    expect(await ran(serveCommand, '--port', String(server.port))).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(
        /is in use, perhaps by another inspector\. Choose one with --port|is not built/,
      ) as string,
    })
  })

  test.each([
    [['--port', '99999'], '--port must be a whole number from 0 to 65535, not "99999".'],
    [['--allow-origin', 'app'], '--allow-origin must be an origin such as https://app.example, not "app".'],
  ])('rejects %j', async (args, message) => {
    const { code, err } = await ran(serveCommand, ...args)
    expect([code, err.split('\n')[0]]).toEqual([2, message])
  })
})
