// The `backend` command: its JSON line, its clean exit and its messages.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, expect, test, vi } from 'vitest'
import { FLAGS, readFlags } from '../../src/cli/backend-flags.ts'
import { readArguments } from '../../src/cli/command.ts'

const children: ChildProcess[] = []
afterEach(() => children.splice(0).forEach(child => child.kill('SIGKILL')))

function run(...args: string[]) {
  const program = `import { backendCommand } from './src/cli/backend.ts'
    process.exitCode = await backendCommand(process.argv.slice(1))`
  const child = spawn(process.execPath, [
    '--liftoff-only',
    '--input-type=module-typescript',
    '-e',
    program,
    '--',
    ...args,
  ])
  children.push(child)
  let errors = ''
  child.stderr.on('data', chunk => (errors += chunk))
  const lines = createInterface({ input: child.stdout })
  const ended = once(child, 'close').then(([code]) => ({ code, errors }))
  return { child, lines, ended }
}

test('prints one JSON line when ready, and SIGINT exits with 0', async () => {
  const { child, lines, ended } = run('--data', 'memory', '--json', '--token-seconds', '7')
  const [line] = await once(lines, 'line')
  const info = JSON.parse(line)
  expect(info).toEqual({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    publishableKey: expect.stringMatching(/^sb_publishable_/),
    secretKey: expect.stringMatching(/^sb_secret_/),
    dataDir: null,
    databaseUrl: null,
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
  child.kill('SIGINT')
  expect(await ended).toEqual({ code: 0, errors: '' })
})

function isListening(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('connect', () => socket.destroy()).on('error', () => resolve(false))
  })
}

test('a Ctrl-C that arrives twice, as through npm, still exits cleanly', async () => {
  const { child, lines, ended } = run('--data', 'memory', '--json')
  const [line] = await once(lines, 'line')
  const { url, publishableKey } = JSON.parse(line)
  // A running request keeps the stop busy until the second signal arrives.
  const port = Number(new URL(url).port)
  const slow = connect(port, '127.0.0.1')
  slow.on('error', () => undefined)
  const head = `POST /rest/v1/vessels HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\napikey: ${publishableKey}\r\n`
  await new Promise(resolve =>
    slow.write(`${head}Content-Length: 9\r\nExpect: 100-continue\r\n\r\n`, resolve),
  )
  expect(String(await once(slow, 'data'))).toContain('100 Continue')
  // Sent as they arrive; two of the same kind might reach a busy process as one.
  child.kill('SIGINT')
  child.kill('SIGHUP')
  await vi.waitFor(() => expect(isListening(port)).resolves.toBe(false), { interval: 10, timeout: 10_000 })
  slow.end('{}       ')
  expect(await ended).toEqual({ code: 0, errors: '' })
})

test.each([
  ['--port', 'harbour', '--port must be a whole number from 0 to 65535, not "harbour".'],
  ['--token-seconds', '0', '--token-seconds must be a whole number from 1 to 604800, not "0".'],
  ['--data', '', '--data is empty. Give a directory, or "memory".'],
  ['--prot', '1', 'Unknown flag "--prot". Did you mean "--port"?'],
  ['--keys', 'mine', '--keys must be "own" or "cli", not "mine".'],
  ['--host', '', '--host is empty. Give an address.'],
  ['--project', ' ', '--project is empty. Give a directory.'],
  ['--db-port', '70000', '--db-port must be a whole number from 0 to 65535, not "70000".'],
  ['--db-password', 'x', 'Unknown flag "--db-password".'],
  ['--data', 'memory --reset', '--reset empties a data directory. Name it with --data.'],
  ['--data', 'memory --yes', '--yes requires --reset.'],
  ['--faults', 'none.json', "--faults can't be used."],
  ['--allow-host', 'a.test:80', '--allow-host: "a.test:80" is not a host name, such as api.example.test'],
  [
    '--realtime-limit',
    'maxUsers=5',
    '--realtime-limit: "maxUsers" is not a limit. Limits: maxConcurrentUsers',
  ],
  ['--realtime-limit', 'privateOnly=1', '--realtime-limit: "privateOnly" is not a limit.'],
  ['--realtime-limit', 'maxConnections=0', '--realtime-limit maxConnections must be a whole number from 1'],
  ['--realtime-limit', 'maxConnections', '--realtime-limit maxConnections must be a whole number from 1'],
])('rejects %s %s with a message', (flag, value, message) => {
  const args = [flag, ...(value.trim() === '' ? [value] : value.split(' '))]
  expect(() => readFlags(readArguments(args, FLAGS).values)).toThrow(message)
})

test('hosts of a proxy and realtime limits are repeatable', () => {
  const flags = ['--allow-host', 'API.test', '--allow-host', 'b.test']
  const limits = ['--realtime-limit', 'maxConcurrentUsers=500', '--realtime-limit', 'maxJoinsPerSecond=1000']
  expect(readFlags(readArguments([...flags, ...limits], FLAGS).values).options).toMatchObject({
    allowHosts: ['api.test', 'b.test'],
    realtime: { maxConcurrentUsers: 500, maxJoinsPerSecond: 1_000 },
  })
})

test('the database password only comes from the environment', () => {
  const read = (args: string[], environment: NodeJS.ProcessEnv) =>
    readFlags(readArguments(args, FLAGS).values, environment).options.databaseAccess
  const port = ['--db-port', '5432']
  expect(read(port, { CHARTROOM_DB_PASSWORD: 'secret' })).toEqual({ port: 5432, password: 'secret' })
  expect(read(port, {})).toEqual({ port: 5432 })
  expect(read([], { CHARTROOM_DB_PASSWORD: 'secret' })).toBeUndefined()
  expect(() => read(port, { CHARTROOM_DB_PASSWORD: ' ' })).toThrow('CHARTROOM_DB_PASSWORD is empty.')
})

test('invalid arguments exit with 2 and print the usage', async () => {
  const { code, errors } = await run('--data', 'somewhere', '--reset').ended
  expect(code).toBe(2)
  expect(errors).toContain('No terminal to confirm this: add --yes.')
  expect(errors).toContain('Usage: chartroom backend')
})

test('a taken port exits with 1 and a message', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  const { code, errors } = await run('--port', port).ended
  other.close()
  expect({ code, errors }).toEqual({
    code: 1,
    errors:
      'The port is in use (EADDRINUSE). Stop the process that uses it, or choose another with --port.\n',
  })
})

test('an invalid project exits with 1 and names the folder', async () => {
  const { code, errors } = await run('--project', 'tests').ended
  expect(code).toBe(1)
  expect(errors).toMatch(/The backend could not be started: .*tests: contains no folder `supabase`\./)
})

test('--verbose prints the phases; --host beyond this machine warns; the database has a URL', async () => {
  const flags = ['--json', '--verbose', '--host', '0.0.0.0', '--keys', 'cli', '--db-port', '0']
  const { child, lines, ended } = run(...flags)
  const [line] = await once(lines, 'line')
  expect(JSON.parse(line).databaseUrl).toMatch(
    /^postgresql:\/\/postgres:postgres@127\.0\.0\.1:\d+\/postgres$/,
  )
  child.kill('SIGTERM')
  const { code, errors } = await ended
  expect(code).toBe(0)
  expect(errors).toContain('Warning: listening on 0.0.0.0, without TLS. ')
  expect(errors).toContain('OAuth sign-in is off; --oauth-stand-in enables simulated providers')
  for (const phase of ['snapshot', 'database', 'rest', 'realtime']) {
    expect(errors).toMatch(new RegExp(`^${phase} +\\d+ ms$`, 'm'))
  }
})

test('--reset empties the data directory and keeps the keys; SIGTERM and SIGHUP exit with 0', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'chartroom-reset-'))
  const served = async (...more: string[]) => {
    const { child, lines, ended } = run('--data', dir, '--json', ...more)
    const info = JSON.parse((await once(lines, 'line'))[0])
    return { info, child, ended }
  }
  const headers = (key: string) => ({ apikey: key, 'content-type': 'application/json' })
  const first = await served()
  const { url, secretKey } = first.info
  const body = JSON.stringify({ name: 'Gone soon' })
  await fetch(`${url}/rest/v1/vessels`, { method: 'POST', headers: headers(secretKey), body })
  first.child.kill('SIGHUP')
  expect(await first.ended).toEqual({ code: 0, errors: '' })
  const second = await served('--reset', '--yes')
  expect(second.info.secretKey).toBe(secretKey)
  const found = await fetch(`${second.info.url}/rest/v1/vessels?select=name`, { headers: headers(secretKey) })
  expect(await found.json()).toHaveLength(4)
  second.child.kill('SIGTERM')
  expect(await second.ended).toEqual({ code: 0, errors: '' })
  rmSync(dir, { recursive: true })
})
