// Runs Edge Functions in a real Deno and checks what the backend promises of them: `npm run compatibility -- functions`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { findDeno, INSTALL_DENO } from '../../backend/functions/index.ts'
import { startBackend } from '../../backend/index.ts'
import { root } from '../tool.ts'

const OPEN = ['open', 'page', 'stream', 'socket', 'crash', 'boot', 'memory', 'busy', 'module', 'older']

const FILES: Readonly<Record<string, string>> = {
  'config.toml': OPEN.map(name => `[functions.${name}]\nverify_jwt = false\n`).join(''),
  'functions/_shared/cors.ts': `export const cors = { 'access-control-allow-origin': 'https://one.test' }`,
  'functions/packages/index.ts': `
    import { createClient } from 'npm:@supabase/supabase-js@2'
    import { cors } from '../_shared/cors.ts'
    Deno.serve(async () => {
      const client = createClient(Deno.env.get('SUPABASE_URL')!, Deno.env.get('SUPABASE_SERVICE_ROLE_KEY')!)
      const { data, error } = await client.auth.admin.listUsers()
      return Response.json({ users: data.users.length, error }, { headers: cors })
    })`,
  'functions/open/index.ts': `
    const attempt = async work => { try { return await work() } catch (error) { return error.name } }
    Deno.serve(async () => Response.json({
      secret: await attempt(() => Deno.readTextFile('/etc/passwd')),
      program: await attempt(() => new Deno.Command('/bin/ls').output()),
      variables: Object.keys(Deno.env.toObject()).filter(name => !name.startsWith('SUPABASE_')),
      temporary: await attempt(async () => Deno.writeTextFile(await Deno.makeTempFile(), 'text').then(() => 'written')),
    }))`,
  'functions/page/index.ts': `Deno.serve(() => new Response('<p>', { headers: { 'content-type': 'text/html' } }))`,
  'functions/stream/index.ts': `Deno.serve(request => new Response(request.body))`,
  'functions/socket/index.ts': `
    Deno.serve(request => {
      const { socket, response } = Deno.upgradeWebSocket(request)
      socket.onmessage = ({ data }) => socket.send('echo ' + data)
      return response
    })`,
  'functions/crash/index.ts': `
    Deno.serve(() => { setTimeout(() => { throw new Error('late') }); return new Promise(() => {}) })`,
  'functions/boot/index.ts': `import './missing.ts'`,
  'functions/memory/index.ts': `Deno.serve(() => { const all = []; for (;;) all.push(new Array(1e6).fill(Math.random())) })`,
  'functions/busy/index.ts': `Deno.serve(() => { for (;;); })`,
  'functions/module/index.ts': `export default { fetch: () => new Response('module') }`,
  'functions/older/index.ts': `
    const connection = await Deno.listen({ port: 8000 }).accept()
    for await (const event of Deno.serveHttp(connection)) event.respondWith(new Response('older'))`,
}

/** Prints a line for each check; sets the exit code if one fails. */
export async function checkFunctions(): Promise<void> {
  const { deno } = findDeno(undefined)
  if (!deno) {
    console.error(
      `There is no Deno: ${INSTALL_DENO}, or npm install deno in another folder and add it to PATH.`,
    )
    process.exitCode = 2
    return
  }
  const folder = mkdtempSync(join(tmpdir(), 'chartroom-deno-'))
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, 'supabase', name)), { recursive: true })
    writeFileSync(join(folder, 'supabase', name), text)
  }
  console.log(`Edge Functions in Deno ${deno.version} (${deno.path})`)
  try {
    await runChecks(folder, deno.path)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runChecks(folder: string, deno: string): Promise<void> {
  const backend = await startBackend({ data: 'memory', port: 0, project: folder, deno, keys: 'cli' })
  const call = (path: string, init?: RequestInit) => fetch(`${backend.url}/functions/v1/${path}`, init)
  const answer = async (name: string) => {
    const response = await call(name)
    return `${response.status} ${response.headers.get('sb-error-code') ?? ''}`.trim()
  }
  await check(
    'a package from npm, _shared, and the service role key',
    async () => {
      const authorization = `Bearer ${ANON}`
      const response = await call('packages', { headers: { authorization } })
      return [await response.text(), response.headers.get('access-control-allow-origin')].join(' ')
    },
    '{"users":0,"error":null} https://one.test',
  )
  await check(
    'no files, no programs, no variables of the parent; temporary files',
    async () => (await call('open')).text(),
    '{"secret":"NotCapable","program":"NotCapable","variables":["TMPDIR"],"temporary":"written"}',
  )
  await check(
    'a page is sent as text',
    async () => (await call('page')).headers.get('content-type') ?? '',
    'text/plain',
  )
  await check(
    'a body of 20 MB streams both ways',
    async () => {
      const response = await call('stream', { method: 'POST', body: Buffer.alloc(20_000_000) })
      return String((await response.arrayBuffer()).byteLength)
    },
    '20000000',
  )
  await check(
    'a WebSocket',
    () => echo(`${backend.url.replace('http', 'ws')}/functions/v1/socket`),
    'echo hello',
  )
  await check('export default { fetch }', async () => (await call('module')).text(), 'module')
  await check('serve of older versions of std', async () => (await call('older')).text(), 'older')
  await check('an error outside of the handler', () => answer('crash'), '500 WORKER_ERROR')
  await check('an import that fails', () => answer('boot'), '503 BOOT_ERROR')
  await check('too much memory', () => answer('memory'), '546 WORKER_LIMIT')
  await backend.stop()
  for (const name of ['module', 'busy'])
    await check(
      `a process ends with a backend that is killed (${name})`,
      () => killBackend(folder, deno, name),
      'ended',
    )
}

/** Less than the time in which a function must start. */
const CHECK_MS = 45_000

/** The local stack's well-known anonymous key. */
const ANON =
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJzdXBhYmFzZS1kZW1vIiwicm9sZSI6ImFub24iLCJleHAiOjE5ODM4MTI5OTZ9.CRXP1A7WOeoJeXxjNni43kdQwgnWNReilDMblYTn_I0'

async function check(what: string, work: () => Promise<string>, expected: string): Promise<void> {
  const late = delay(CHECK_MS, 'too late', { ref: false })
  const got = await Promise.race([work().catch((error: unknown) => String(error)), late])
  const isRight = got === expected
  if (!isRight) process.exitCode = 1
  console.log(
    `${isRight ? 'passed' : 'failed'}: ${what}${isRight ? '' : `\n  expected ${expected}\n  got      ${got}`}`,
  )
}

function echo(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url)
    socket.addEventListener('open', () => socket.send('hello'))
    socket.addEventListener('message', ({ data }) => {
      resolve(String(data))
      socket.close()
    })
    socket.addEventListener('error', () => reject(new Error('The socket failed')))
  })
}

/** Kills a backend in a separate process while a function runs, and waits for the function's process to end. */
async function killBackend(folder: string, deno: string, name: string): Promise<string> {
  const path = `${dirname(deno)}:${process.env['PATH']}`
  const args = [join(root, 'src/cli/main.ts'), 'backend', '--project', folder, '--port', '0', '--json']
  const child = spawn(process.execPath, args, {
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const { url } = JSON.parse(line) as { url: string }
  const request = fetch(`${url}/functions/v1/${name}`).catch(() => undefined)
  await (name === 'busy' ? delay(5_000) : request)
  const described = (await (await fetch(`${url}/_chartroom/functions.json`)).json()) as {
    functions: { name: string; pid: number | null }[]
  }
  const pid = described.functions.find(one => one.name === name)?.pid ?? 0
  child.kill('SIGKILL')
  for (let wait = 0; wait < 50; wait += 1) {
    try {
      process.kill(pid, 0)
    } catch {
      return 'ended'
    }
    await delay(100)
  }
  process.kill(pid, 'SIGKILL')
  return `process ${pid} is still running`
}
