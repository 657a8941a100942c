// The `backend` command: its JSON line, its clean end and its messages.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { afterEach, expect, test, vi } from 'vitest'

const children: ChildProcess[] = []
afterEach(() => children.splice(0).forEach(child => child.kill('SIGKILL')))

function run(...args: string[]) {
  const program = `import { backendCommand } from './src/cli/backend.ts'
    process.exitCode = await backendCommand(process.argv.slice(1))`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program, '--', ...args])
  children.push(child)
  let errors = ''
  child.stderr.on('data', chunk => (errors += chunk))
  const lines = createInterface({ input: child.stdout })
  const ended = once(child, 'close').then(([code]) => ({ code, errors }))
  return { child, lines, ended }
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'one JSON line when ready, and %s ends it with 0',
  async signal => {
    const { child, lines, ended } = run('--data', 'memory', '--json', '--token-seconds', '7')
    const [line] = await once(lines, 'line')
    const info = JSON.parse(line)
    expect(info).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      publishableKey: expect.stringMatching(/^sb_publishable_/),
      secretKey: expect.stringMatching(/^sb_secret_/),
      dataDir: null,
      accounts: [
        { email: 'skipper@harbour.test', password: 'harbour-demo' },
        { email: 'mate@harbour.test', password: 'harbour-demo' },
      ],
      pid: child.pid,
    })
    const response = await fetch(`${info.url}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { apikey: info.publishableKey, 'content-type': 'application/json' },
      body: JSON.stringify(info.accounts[0]),
    })
    expect(await response.json()).toMatchObject({ expires_in: 7 })
    child.kill(signal)
    expect(await ended).toEqual({ code: 0, errors: '' })
  },
)

function isListening(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('connect', () => socket.destroy()).on('error', () => resolve(false))
  })
}

test('a Ctrl-C that comes twice, as through npm, still ends it cleanly', async () => {
  const { child, lines, ended } = run('--data', 'memory', '--json')
  const [line] = await once(lines, 'line')
  const { url, publishableKey } = JSON.parse(line)
  // A request under way keeps the stop busy until the second signal is there.
  const port = Number(new URL(url).port)
  const slow = connect(port, '127.0.0.1')
  slow.on('error', () => undefined)
  const head = `POST /rest/v1/vessels HTTP/1.1\r\nHost: 127.0.0.1\r\napikey: ${publishableKey}\r\n`
  await new Promise(resolve =>
    slow.write(`${head}Content-Length: 9\r\nExpect: 100-continue\r\n\r\n`, resolve),
  )
  await once(slow, 'data')
  child.kill('SIGINT')
  await vi.waitFor(() => expect(isListening(port)).resolves.toBe(false), { interval: 10 })
  child.kill('SIGINT')
  slow.end('{}       ')
  expect(await ended).toEqual({ code: 0, errors: '' })
})

test.each([
  ['--port', 'harbour', '--port must be a whole number from 0 to 65535, not "harbour".'],
  ['--token-seconds', '0', '--token-seconds must be a whole number from 1 to 604800, not "0".'],
  ['--data', '', '--data is empty. Give a directory, or "memory".'],
  ['--prot', '1', "Unknown option '--prot'"],
])('%s %s exits 2 and says what to do', async (flag, value, message) => {
  const { code, errors } = await run(flag, value).ended
  expect(code).toBe(2)
  expect(errors).toContain(message)
  expect(errors).toContain('Usage: chartroom backend')
})

test('a taken port exits 1 and says so', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  const { code, errors } = await run('--port', port).ended
  other.close()
  expect({ code, errors }).toEqual({
    code: 1,
    errors: 'The port is taken (EADDRINUSE). Stop what listens there, or choose another with --port.\n',
  })
})
