// The backend's package, unpacked into an app's node_modules: its command, its functions, and its use in tests.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { BACKEND_ENTRIES, buildBackendPackage } from '../../scripts/package-backend.ts'
import { problemsOf } from '../../scripts/package-lint.ts'
import { root } from '../../scripts/tool.ts'

const run = promisify(execFile)
/** Inside node_modules, so that the package finds its dependencies. */
const cache = join(root, 'node_modules/.cache/chartroom')
let out = ''
let app = ''

beforeAll(async () => {
  await mkdir(cache, { recursive: true })
  out = await mkdtemp(join(cache, 'backend-package-'))
  const built = join(out, 'built')
  await buildBackendPackage(built)
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', out], { cwd: built })
  app = join(out, 'app')
  const place = join(app, 'node_modules/@chartroom/backend')
  await mkdir(place, { recursive: true })
  await run('tar', ['-xzf', join(out, stdout.trim()), '-C', place, '--strip-components=1'])
  await mkdir(join(app, 'supabase/migrations'), { recursive: true })
  const sql =
    'create table public.notes (id bigint primary key, text text); grant all on public.notes to anon; ' +
    "insert into public.notes values (1, 'from the migration');"
  await writeFile(join(app, 'supabase/migrations/20260101000000_notes.sql'), sql)
})
afterAll(() => rm(out, { recursive: true, force: true }))

const running: ChildProcess[] = []
afterEach(() => {
  for (const child of running.splice(0)) child.kill()
})

interface Started {
  readonly url: string
  readonly publishableKey: string
}

/** Starts a program that prints one JSON line when its backend is ready. */
function startProgram(...args: readonly string[]): Promise<Started> {
  const child = spawn(process.execPath, args, { cwd: app, stdio: ['ignore', 'pipe', 'inherit'] })
  running.push(child)
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes('\n')) resolve(JSON.parse(text) as Started)
    })
    child.on('exit', code => reject(new Error(`exit code ${code}`)))
  })
}

const rowsOf = async ({ url, publishableKey }: Started) => {
  const response = await fetch(`${url}/rest/v1/notes`, { headers: { apikey: publishableKey } })
  return response.json()
}

const NOTES = [{ id: 1, text: 'from the migration' }]

test('publint and are-the-types-wrong report nothing', async () => {
  expect(await problemsOf(join(out, 'built'), Object.keys(BACKEND_ENTRIES))).toEqual([])
})

test("its command serves the app's project", async () => {
  const bin = join(app, 'node_modules/@chartroom/backend/src/cli/backend-bin.js')
  expect(await readFile(bin, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  expect(await rowsOf(await startProgram(bin, '--project', '.', '--port', '0', '--json'))).toEqual(NOTES)
})

test('`chartroom backend` runs it where it is installed, and names it where it is not', async () => {
  const chartroom = join(root, 'src/cli/bin.ts')
  expect(
    await rowsOf(await startProgram(chartroom, 'backend', '--project', '.', '--port', '0', '--json')),
  ).toEqual(NOTES)
  const failed = run(process.execPath, [chartroom, 'backend'], { cwd: out })
  await expect(failed).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('npm install --save-dev @chartroom/backend') as string,
  })
})

test('a test starts it, with the demo and its functions', async () => {
  const code = `
    import { startBackend } from '@chartroom/backend'
    const backend = await startBackend({ data: 'memory' })
    const answer = await fetch(backend.url + '/functions/v1/echo', { headers: { apikey: backend.publishableKey } })
    const { method } = await answer.json()
    await backend.stop()
    console.log(method, backend.accounts.length)`
  await writeFile(join(app, 'program.mjs'), code)
  const { stdout } = await run(process.execPath, ['program.mjs'], { cwd: app })
  expect(stdout).toBe('GET 2\n')
})
