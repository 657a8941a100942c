// `chartroom mcp --http`: on this machine only, with a token; and calls that are canceled or report progress.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { request } from 'node:http'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { joinApps } from '../../../src/cli/mcp/live.ts'
import { type HttpServer, serveHttp } from '../../../src/cli/mcp/http.ts'
import { createServer } from '../../../src/cli/mcp/server.ts'
import { Session } from '../../../src/cli/mcp/session.ts'
import { record } from '../../../src/services/recording/index.ts'
import { doorApp } from '../../harness/door.ts'
import { atTestEnd } from '../../harness/endings.ts'
import { connectMcp, startMcp, toolCaller } from '../../harness/mcp.ts'
import { door } from '../../harness/door-machine.ts'

const TOKEN = 'a-token-of-this-test'
let folder = ''
let server: HttpServer

beforeAll(async () => {
  folder = await doorApp()
  const session = new Session({
    roots: [folder],
    machines: undefined,
    reports: undefined,
    live: joinApps([]),
  })
  const create = () => createServer({ session, version: '1', allowsControl: false })
  server = await serveHttp({ port: 0, token: TOKEN, create })
})
afterAll(() => server.stop())

const url = () => new URL(`http://127.0.0.1:${server.port}/mcp`)

async function connect(token: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(url(), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  )
  atTestEnd(() => client.close())
  return client
}

/** The status for a request with these headers. */
const statusOf = (headers: Record<string, string>): Promise<number> =>
  new Promise((resolve, reject) => {
    const ask = request(
      url(),
      { method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
      response => {
        response.resume()
        resolve(response.statusCode ?? 0)
      },
    )
    ask.on('error', reject)
    ask.end('{}')
  })

describe('over HTTP', () => {
  test('a client with the token calls tools', async () => {
    const { text } = await toolCaller(await connect(TOKEN))('recordings', { kind: 'files' })
    expect(text).toContain('door.trace.gz')
  })

  test('a wrong token is refused', async () => {
    await expect(connect('another')).rejects.toThrow('The token is missing or wrong')
    expect(await statusOf({})).toBe(401)
    expect(await statusOf({ authorization: `Bearer ${TOKEN}x` })).toBe(401)
  })

  test('other hosts and pages of other origins are refused, with the token, too', async () => {
    const authorization = `Bearer ${TOKEN}`
    expect(await statusOf({ authorization, host: 'attacker.example' })).toBe(403)
    expect(await statusOf({ authorization, origin: 'https://attacker.example' })).toBe(403)
  })
})

/** A recording whose minimizing takes long. */
async function slowRecording(file: string): Promise<void> {
  const recording = record(door, { system: 'door' })
  recording.start()
  const send = (type: string) => recording.actor.send({ type } as never)
  for (let n = 0; n < 4000; n++) for (const type of ['open', 'knock', 'close']) send(type)
  for (const type of ['lock', 'force', 'force']) send(type)
  recording.stop()
  await writeFile(file, await recording.file())
}

describe('long work', () => {
  const BROKEN = '{"never":{"src":"door","entered":"broken"}}'

  test('reports progress, and ends its process when it is canceled', async () => {
    await slowRecording(join(folder, 'slow.trace.gz'))
    const client = await startMcp(folder)
    const controller = new AbortController()
    const args = { recording: 'slow.trace.gz', machines: 'door-machine.ts', fails: BROKEN }
    const progress: number[] = []
    const called = client.callTool(
      { name: 'minimize', arguments: args },
      {
        signal: controller.signal,
        onprogress({ progress: done }) {
          progress.push(done)
          controller.abort(new Error('canceled by the test'))
        },
      },
    )
    await expect(called).rejects.toThrow('canceled by the test')
    expect(progress.length).toBeGreaterThan(0)
    // The server still answers.
    expect((await toolCaller(client)('events', { recording: 'slow.trace.gz', query: '#1' })).text).toContain(
      '1 of',
    )
  })

  test('a machine that prints does not disturb the protocol', async () => {
    await writeFile(
      join(folder, 'loud.ts'),
      "import { door } from './door-machine.ts'\nconsole.log('loud')\nprocess.stdout.write('louder')\nexport { door }\n",
    )
    const call = toolCaller(await startMcp(folder))
    expect((await call('replay', { recording: 'door.trace.gz', machines: 'loud.ts' })).text).toContain(
      'exact',
    )
  })

  test('a machine that ends its process is an error of its call', async () => {
    await writeFile(join(folder, 'ends.ts'), 'process.exit(3)\nexport const door = {}\n')
    const call = toolCaller(await connectMcp({ roots: [folder] }))
    const { text, isError } = await call('replay', { recording: 'door.trace.gz', machines: 'ends.ts' })
    expect({ text, isError }).toEqual({ text: expect.stringContaining('exited with code 3'), isError: true })
  })
})
