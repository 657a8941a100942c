// `npm start` as a process: its output, what it serves, and how it stops.
import { createServer, type AddressInfo, type Server } from 'node:net'
import { expect, test } from 'vitest'
import { atTestEnd } from '../harness/endings.ts'
import { addressOf, configOf, start } from './started.ts'

async function occupyPort(): Promise<{ server: Server; port: number }> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  atTestEnd(() => new Promise(resolve => server.close(resolve)))
  return { server, port: (server.address() as AddressInfo).port }
}

test('prints the address, the accounts and that data is in memory; serves the app and its config', async () => {
  const { port } = await occupyPort()
  const program = start('--port', String(port), '--memory')
  const address = await addressOf(program)
  // Falls back to the next free port.
  const used = Number(new URL(address).port)
  expect(used).toBeGreaterThan(port)
  expect(program.output).toContain(`Port ${port} is in use; using port ${used} instead.`)
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

test('a signal during startup also exits cleanly', async () => {
  const program = start('--port', '0', '--memory')
  await program.says(/Starting Chartroom/)
  const ended = await program.signal('SIGINT')
  expect({ ...ended, output: program.output }).toEqual({
    code: 0,
    signal: null,
    output: expect.not.stringContaining('Address') as string,
  })
})

test('rejects invalid flags and prints the usage', async () => {
  const program = start('--port', 'many')
  expect(await program.ended).toEqual({ code: 2, signal: null })
  expect(program.output).toMatch(
    /^--port must be a whole number from 0 to 65535, not "many"\.\n\nUsage: npm start/,
  )
})
