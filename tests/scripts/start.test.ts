// `npm start` as a process: its output, what it serves, how it stops, and what persists.
import { createServer, type AddressInfo, type Server } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import { afterEach, expect, test } from 'vitest'
import { Program } from './program.ts'

interface Config {
  readonly name: string
  readonly url: string
  readonly key: string
  readonly accounts: readonly { readonly email: string; readonly password: string }[]
}

const undo: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step()
})

function start(...args: string[]): Program {
  const program = new Program('scripts/start.ts', args)
  undo.push(() => program.signal('SIGKILL'))
  return program
}

async function addressOf(program: Program): Promise<string> {
  const [, address] = await program.says(/Address\s+(http:\S+)[\s\S]*Stop\s+Ctrl-C/)
  return address ?? ''
}

async function configOf(address: string): Promise<Config> {
  return (await (await fetch(`${address}/_chartroom/config`)).json()) as Config
}

async function occupyPort(): Promise<{ server: Server; port: number }> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  undo.push(() => new Promise(resolve => server.close(resolve)))
  return { server, port: (server.address() as AddressInfo).port }
}

async function temporaryFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'chartroom-start-'))
  undo.push(() => rm(dir, { recursive: true, force: true }))
  return dir
}

test('prints the address, the accounts and that data is in memory; serves the app and its config', async () => {
  const program = start('--port', '0', '--memory')
  const address = await addressOf(program)
  const config = await configOf(address)
  expect(config).toEqual({
    name: 'harbour',
    url: address,
    key: expect.stringMatching(/^sb_publishable_|^eyJ/),
    schema: '/_chartroom/schema',
    accounts: [
      { email: 'skipper@harbour.test', password: expect.any(String) },
      { email: 'mate@harbour.test', password: expect.any(String) },
    ],
  })
  for (const { email, password } of config.accounts) expect(program.output).toContain(`${email}  ${password}`)
  expect(program.output).toContain('in memory, lost on stop')

  const page = await fetch(`${address}/data/vessels`, { headers: { Accept: 'text/html' } })
  expect([page.status, page.headers.get('content-type'), page.headers.get('cache-control')]).toEqual([
    200,
    'text/html; charset=utf-8',
    'no-cache',
  ])
  const html = await page.text()
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? 'no script'
  const asset = await fetch(new URL(script, address))
  expect([asset.status, asset.headers.get('content-type'), asset.headers.get('cache-control')]).toEqual([
    200,
    'text/javascript; charset=utf-8',
    'public, max-age=31536000, immutable',
  ])
  expect(await program.signal('SIGINT')).toEqual({ code: 0, signal: null })
  await expect(fetch(address)).rejects.toThrow('fetch failed')
})

test('falls back to the next free port and prints it', async () => {
  const { port } = await occupyPort()
  const program = start('--port', String(port), '--memory')
  const address = await addressOf(program)
  const used = Number(new URL(address).port)
  expect(used).toBeGreaterThan(port)
  expect(program.output).toContain(`Port ${port} is in use; using port ${used} instead.`)
  expect(await program.signal('SIGTERM')).toEqual({ code: 0, signal: null })
})

test('a signal during startup also exits cleanly', async () => {
  const program = start('--port', '0', '--memory')
  await program.says(/Starting Chartroom/)
  expect(await program.signal('SIGINT')).toEqual({ code: 0, signal: null })
  expect(program.output).not.toContain('Address')
})

test('rejects invalid flags and prints the usage', async () => {
  const program = start('--port', 'many')
  expect(await program.ended).toEqual({ code: 2, signal: null })
  expect(program.output).toMatch(
    /^--port must be a whole number from 0 to 65535, not "many"\.\n\nUsage: npm start/,
  )
})

test('data persists across a restart', async () => {
  const dir = await temporaryFolder()
  const before = start('--port', '0', '--data', dir)
  const { url, key } = await configOf(await addressOf(before))
  const account = { email: 'purser@harbour.test', password: 'a-long-enough-passphrase' }
  expect((await createClient(url, key).auth.signUp(account)).error).toBeNull()
  expect(await before.signal('SIGINT')).toEqual({ code: 0, signal: null })

  const after = start('--port', '0', '--data', dir)
  const next = await configOf(await addressOf(after))
  expect(next.key).toBe(key)
  const { data, error } = await createClient(next.url, next.key).auth.signInWithPassword(account)
  expect({ email: data.user?.email, error }).toEqual({ email: account.email, error: null })
  expect(after.output).toContain(`${dir} (persistent)`)
})
