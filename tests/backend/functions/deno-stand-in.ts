// A substitute for Deno: runs the preloaded module and the main module in Node, with the parts of Deno that they use.
import { writeSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { getRequestListener } from '@hono/node-server'

type Handler = (request: Request, info: unknown) => Response | Promise<Response>

const args = process.argv.slice(2)
if (args.includes('--version')) {
  process.stdout.write('deno 2.9.6 (a substitute)\n')
  process.exit(0)
}
const preload = args.find(arg => arg.startsWith('--preload='))?.slice('--preload='.length) ?? ''
const mainModule = pathToFileURL(resolve(args.at(-1) ?? '')).href

/** Node listens only after a turn of the event loop, Deno at once. */
const server = createServer((incoming, outgoing) => void listener(incoming, outgoing))
let listener: (incoming: IncomingMessage, outgoing: ServerResponse) => unknown = () => undefined
await new Promise<void>(done => void server.listen(0, '127.0.0.1', done))
server.unref()

Object.assign(globalThis, {
  Deno: {
    mainModule,
    args,
    env: {
      get: (name: string) => process.env[name],
      delete: (name: string) => delete process.env[name],
      set: (name: string, value: string) => void (process.env[name] = value),
      toObject: () => ({ ...process.env }),
    },
    stdin: { readable: Readable.toWeb(process.stdin) },
    stdout: { writeSync: (bytes: Uint8Array) => writeSync(1, bytes) },
    exit: (code: number) => process.exit(code),
    listen: () => undefined,
    serveHttp: () => undefined,
    serve(_: unknown, handler: Handler) {
      listener = getRequestListener(request => handler(request, {}), { overrideGlobalObjects: false })
      server.ref()
      return { addr: server.address() as AddressInfo, finished: new Promise(() => undefined) }
    },
  },
})
await import(pathToFileURL(preload).href)
await import(mainModule)
