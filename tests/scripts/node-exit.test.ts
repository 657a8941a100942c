// A Node program with a client ends once its requests have settled, also if the client is not disposed.
import { execFile } from 'node:child_process'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { root } from '../../scripts/tool.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

/** A backend on a free port. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9'

const SESSION = {
  access_token: 'a.b.c',
  refresh_token: 'refresh',
  expires_in: 3600,
  token_type: 'bearer',
  user: { id: 'skipper-id', aud: 'authenticated' },
}

interface Program {
  readonly url?: string
  readonly options?: string
  readonly session?: object
  readonly code: string
}

/** Runs code with a client in a new Node process, for at most 20 s. */
function runProgram({ url = NOWHERE, options = '', session, code }: Program) {
  const program = `
    import { createChartroomClient } from './src/public/index.ts'
    import { recordEverything } from './src/public/devtools/recording.ts'
    import { memoryStorage } from './src/services/client/auth/session-store.ts'
    const storage = memoryStorage()
    const session = ${JSON.stringify(session ?? null)}
    if (session) storage.setItem('key', JSON.stringify(session))
    const recording = recordEverything()
    const client = createChartroomClient({
      url: ${JSON.stringify(url)}, key: 'sb_publishable_key', auth: { storage, storageKey: 'key' }, ${options}
    })
    const { supabase } = client
    ${code}
  `
  return new Promise<{ readonly code: unknown; readonly out: string; readonly ms: number }>(resolve => {
    const since = performance.now()
    const args = ['--input-type=module-typescript', '-e', program]
    execFile(process.execPath, args, { cwd: root, timeout: 20_000 }, (error, stdout, stderr) => {
      const ms = performance.now() - since
      resolve({ code: error ? (error.signal ?? error.code) : 0, out: stdout + stderr, ms })
    })
  })
}

test.each([
  ['', ''],
  [', recorded', 'recording'],
])('an idle client does not keep a process running%s', async (_, options) => {
  const code = 'console.log(JSON.stringify(await supabase.auth.getSession()))'
  expect(await runProgram({ options, code })).toMatchObject({
    code: 0,
    out: '{"data":{"session":null},"error":null}\n',
  })
  const received_at = Date.now()
  const signedIn = await runProgram({
    options,
    session: { ...SESSION, received_at },
    code: `
      supabase.auth.onAuthStateChange(event => console.log(event))
      client.onStatus(() => undefined)
      await supabase.auth.getSession()
    `,
  })
  expect(signedIn).toMatchObject({ code: 0, out: 'SIGNED_IN\nINITIAL_SESSION\n' })
})

test('requests keep a process running until they settle, also between attempts', async () => {
  let count = 0
  const url = await serve((_, response) => {
    response.writeHead(++count < 3 ? 503 : 200, { 'content-type': 'application/json' }).end('[]')
  })
  const options = 'timings: { backoffMin: 500, backoffMax: 600 }'
  const code = `void supabase.from('vessels').select().then(({ status }) => console.log(status))`
  expect(await runProgram({ url, options, code })).toMatchObject({ code: 0, out: '200\n' })
  expect(count).toBe(3)
})

test('waiting for a token keeps a process running, retries in the background do not', async () => {
  const options = 'timings: { tokenTimeout: 1000, backoffMin: 300, backoffMax: 400 }'
  const code = `
    const { error } = await supabase.auth.getSession()
    console.log(error.name)
    await supabase.auth.refreshSession()
    console.log('ended')
  `
  const session = { ...SESSION, received_at: 0 }
  expect(await runProgram({ options, session, code })).toMatchObject({
    code: 0,
    out: 'AuthRetryableFetchError\nended\n',
  })
})

test('a channel in use keeps a process running, like the official client', async () => {
  const code = `
    const channel = supabase.channel('bridge').subscribe()
    setTimeout(() => {
      console.log('still here')
      void supabase.removeChannel(channel)
    }, 3_000).unref()
  `
  const options = 'timings: { backoffMin: 500, backoffMax: 600 }'
  expect(await runProgram({ options, code })).toMatchObject({ code: 0, out: 'still here\n' })
})

test('an upload keeps a process running while it is retried', async () => {
  let count = 0
  const url = await serve((request, response) => {
    request.resume()
    if (request.url?.includes('/object/list')) return void response.end('[]')
    const isDown = ++count < 3
    response.writeHead(isDown ? 503 : 200, { 'content-type': 'application/json' }).end('{}')
  })
  const code = `
    client.uploads.onChange(() => {
      const [upload] = client.uploads.list()
      if (upload.phase === 'done') console.log('done')
    })
    await client.uploads.add([{ bucket: 'charts', path: 'a.txt', content: new Blob(['x']) }])
  `
  const session = { ...SESSION, received_at: Date.now() }
  const options = 'timings: { backoffMin: 500, backoffMax: 600 }'
  expect(await runProgram({ url, options, session, code })).toMatchObject({ code: 0, out: 'done\n' })
})
