// Live apps: of `chartroom serve`, and of pages of `vite dev`, which `--allow-control` controls.
import { createServer as createHttpServer, type Server } from 'node:http'
import { mkdir, mkdtemp, readFile, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createWebSocketInspector } from '@statelyai/inspect'
import { createActor } from 'xstate'
import { expect, test } from 'vitest'
import { joinApps } from '../../../src/cli/mcp/live.ts'
import { Roots } from '../../../src/cli/mcp/roots.ts'
import { serveApps } from '../../../src/cli/mcp/serve-apps.ts'
import { viteApps } from '../../../src/cli/mcp/vite-apps.ts'
import { startServer } from '../../../src/cli/serve-server.ts'
import { attach } from '../../../src/services/control/index.ts'
import { Systems } from '../../../src/ui/console/attach/systems.ts'
import { serveAgents } from '../../../src/vite/agent-server.ts'
import { answerAgents } from '../../../src/vite/page/agent-page.ts'
import { atTestEnd } from '../../harness/endings.ts'
import { connectMcp, toolCaller } from '../../harness/mcp.ts'
import { door } from '../../harness/door-machine.ts'

async function newFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'chartroom-live-')))
  atTestEnd(() => rm(folder, { recursive: true }))
  return folder
}

test('an app of chartroom serve is listed, and its events are found', async () => {
  const folder = await newFolder()
  const server = await startServer({ port: 0, page: folder })
  atTestEnd(() => server.stop())
  const { inspect, stop } = createWebSocketInspector({ url: `ws://localhost:${server.port}` }) as ReturnType<
    typeof createWebSocketInspector
  > & { stop: () => void }
  atTestEnd(() => stop())
  const actor = createActor(door, { inspect })
  actor.start()
  actor.send({ type: 'open' })
  const live = serveApps(`http://localhost:${server.port}`)
  atTestEnd(() => live.close())
  const call = toolCaller(await connectMcp({ roots: [folder], live: joinApps([live]), allowsControl: true }))
  await expect
    .poll(async () => (await call('recordings', { kind: 'live' })).text)
    .toContain('live:serve-app1 "door" of chartroom serve')
  await expect
    .poll(async () => (await call('events', { recording: 'live:serve-app1', query: 'type:open' })).text)
    .toContain('open → opened')
  expect((await call('send', { app: 'live:serve-app1', event: '{"type":"close"}' })).text).toContain(
    'cannot be controlled',
  )
})

test('without chartroom serve, there are no apps of it', async () => {
  expect(await serveApps('http://localhost:1').list()).toEqual([])
})

/** A page of a development server: both ends of the link, joined as Vite's channel does. */
async function startPage(folder: string) {
  await mkdir(join(folder, 'node_modules'), { recursive: true })
  const listeners = new Map<string, ((data: never) => void)[]>()
  const on = (event: string, listener: (data: never) => void) =>
    void listeners.set(event, [...(listeners.get(event) ?? []), listener])
  const send = (event: string, data: unknown) => {
    for (const listener of listeners.get(event) ?? []) listener(JSON.parse(JSON.stringify(data)) as never)
  }
  const handlers: ((request: unknown, response: unknown, next: () => void) => void)[] = []
  const server: Server = createHttpServer((request, response) => {
    for (const handler of handlers) handler(request, response, () => void response.writeHead(404).end())
  })
  serveAgents({
    config: { base: '/', root: folder, logger: console },
    httpServer: server,
    middlewares: { use: (handler: (typeof handlers)[number]) => void handlers.push(handler) },
    ws: { on, send },
  } as never)
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  atTestEnd(() => new Promise<void>(resolve => void server.close(() => resolve())))
  const systems = new Systems({ read: () => undefined, write: () => undefined })
  const { actor, recording, control } = attach(door, {})
  actor.start()
  systems.add({ name: 'door', recording, control, isRunning: () => actor.getSnapshot().status === 'active' })
  answerAgents(systems, { on, send } as never)
  return { actor, port: (server.address() as AddressInfo).port }
}

test('a page of vite dev is listed, looked into and controlled', async () => {
  const folder = await newFolder()
  const { actor } = await startPage(folder)
  const live = joinApps([viteApps(new Roots([folder]))])
  const call = toolCaller(await connectMcp({ roots: [folder], live, allowsControl: true }))
  const { text } = await call('recordings', { kind: 'live' })
  const app = /(live:vite-\d+-\w+-1) "door" of vite dev/.exec(text)?.[1] ?? ''
  expect(text).toContain(app)
  expect((await call('send', { app, event: '{"type":"open"}' })).text).toContain('Done.')
  expect(actor.getSnapshot().value).toBe('opened')
  expect((await call('events', { recording: app, query: 'type:open' })).text).toContain('open → opened')
  await call('pause', { app })
  actor.send({ type: 'close' })
  expect(actor.getSnapshot().value).toBe('opened')
  expect((await call('pause', { app, do: 'step' })).text).toContain('one event was let through')
  expect(actor.getSnapshot().value).toBe('closed')
  await call('pause', { app, do: 'resume' })
  expect((await call('clock', { app, do: 'deadline' })).text).toContain('no timer is set')
  expect((await call('faults', { app, fault: '{"kind":"offline"}' })).isError).toBe(false)
  expect((await call('faults', { app, clear: 'all' })).isError).toBe(false)
  expect((await call('send', { app, to: 'gate', event: '{"type":"open"}' })).text).toContain(
    'There is no actor gate.',
  )
  expect((await call('send', { app, event: '{"tpe":"open"}' })).text).toContain(
    'must be a JSON object with a type',
  )
})

test('only agents with the token, that are no pages, are answered', async () => {
  const folder = await newFolder()
  const { port } = await startPage(folder)
  const file = join(folder, `node_modules/.chartroom/vite-${process.pid}.json`)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const { url, token } = JSON.parse(await readFile(file, 'utf8')) as { url: string; token: string }
  expect(url).toBe(`http://localhost:${port}/@chartroom/agent`)
  const ask = async (headers: Record<string, string>, method = 'POST') =>
    (await fetch(url, { method, headers, ...(method === 'POST' && { body: '{"do":"list"}' }) })).status
  expect(await ask({ authorization: `Bearer ${token}` })).toBe(200)
  expect(await ask({ authorization: 'Bearer other' })).toBe(401)
  expect(await ask({})).toBe(401)
  expect(await ask({ authorization: `Bearer ${token}`, origin: 'http://localhost:5173' })).toBe(403)
  expect(await ask({ authorization: `Bearer ${token}` }, 'GET')).toBe(403)
})
