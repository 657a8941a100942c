// The backend's package, installed by npm in an empty folder outside of the repository: its command, its functions,
// and its use in tests.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { buildBackendPackage } from '../../scripts/package-backend.ts'
import { missingPeers, undeclaredImports } from '../../scripts/package-imports.ts'
import {
  type App,
  BACKEND_STEPS,
  backendEntries,
  importEntries,
  NPM_INSTALL,
  runInApp,
  runOnOldNode,
  tryPostgres,
  writeApp,
} from '../../scripts/installs/trial.ts'
import { packBuilt } from '../../scripts/pack.ts'
import { root } from '../../scripts/tool.ts'

const run = promisify(execFile)
let out = ''
let app = ''

beforeAll(async () => {
  // Below the repository, Node would find its dependencies.
  out = await mkdtemp(join(tmpdir(), 'chartroom-backend-package-'))
  // PostgreSQL runs as another user if this runs as root.
  await chmod(out, 0o755)
  await buildBackendPackage(built())
  app = join(out, 'app')
  await writeApp(app, await packBuilt(out, ['@chartroom/backend']), [])
  const { code, text } = await runInApp(installed(), 'npm', NPM_INSTALL)
  expect([code, text]).toEqual([0, expect.anything()])
  // It builds, and downloads what npm's cache lacks.
}, 300_000)
afterAll(() => rm(out, { recursive: true, force: true }))

const built = () => join(out, 'chartroom-backend')
const installed = (): App => ({ folder: app, nodeFolder: dirname(process.execPath) })

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

test('its manifest declares everything that it imports, and the peers of its dependencies that it needs', async () => {
  expect(await undeclaredImports(built())).toEqual([])
  // Native parts that are not imported, and the types of a type.
  expect(await missingPeers(built())).toEqual([
    'pg: pg-native',
    'valibot: typescript',
    'ws: bufferutil',
    'ws: utf-8-validate',
  ])
})

test.each(Object.entries(BACKEND_STEPS))(
  'its program starts, serves and stops with nothing left: %s',
  async (_, step) => {
    await step(installed())
  },
)

test('it runs PostgreSQL, or names the package that has it', async () => {
  expect(['runs', 'says what to install']).toContain(await tryPostgres(installed()))
})

test('each entry is imported there', async () => {
  await importEntries(installed(), backendEntries)
})

test('on an older Node, its program prints what it needs', async () => {
  const bin = 'node_modules/@chartroom/backend/src/cli/backend-bin.js'
  const problem =
    '@chartroom/backend needs Node 22.13 or newer, but this is Node 20.19.0: install a newer one, for example from https://nodejs.org.\n'
  expect(await runOnOldNode(installed(), bin)).toEqual({ code: 1, text: problem })
})

test('`chartroom backend` runs it where it is installed, and names it where it is not', async () => {
  const chartroom = join(root, 'src/cli/bin.ts')
  expect(
    await rowsOf(await startProgram(chartroom, 'backend', '--project', '.', '--port', '0', '--json')),
  ).toEqual(NOTES)
  const failed = run(process.execPath, [chartroom, 'backend'], { cwd: out })
  await expect(failed).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('dist-packages/chartroom-backend.tgz') as string,
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
