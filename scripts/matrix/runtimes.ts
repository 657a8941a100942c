// The packed package on JavaScript runtimes other than Node: each installs, imports and uses it.
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chunksOf } from '../package-size.ts'
import { fileDependencies, type Tarballs } from '../pack.ts'
import { root } from '../tool.ts'
import type { AppContext } from './app-run.ts'
import type { Report } from './app/runtime.ts'
import { lastLine, type Output, runIn } from './installers.ts'

/** The steps of `app/runtime.ts`, and their columns. */
const STEPS = {
  import: 'Import',
  'sign-in': 'Sign-in',
  query: 'Query',
  channel: 'Channel',
  recording: 'Recording',
} as const

export const RUNTIME_COLUMNS = ['Runtime', 'Version', ...Object.values(STEPS), 'Exits']

export interface RuntimeRow {
  readonly name: string
  readonly version: string
  readonly done: readonly string[]
  readonly failure?: string
}

interface Runtime {
  readonly name: string
  /** The package from npm with the runtime; Node is this one. */
  readonly tool?: string
  run(app: string, env: Readonly<Record<string, string>>): Promise<Output>
}

/** A program that has not exited within this time has failed, in milliseconds. */
const TIME_LIMIT = 90_000

const RUNTIMES: readonly Runtime[] = [
  {
    name: 'Node',
    run: (app, env) => runIn(app, process.execPath, ['--no-warnings', 'runtime-main.ts'], env, TIME_LIMIT),
  },
  {
    name: 'Deno',
    tool: 'deno',
    run: (app, env) =>
      runIn(app, program(app, 'deno'), ['run', '--quiet', '-A', 'runtime-main.ts'], env, TIME_LIMIT),
  },
  {
    name: 'Bun',
    tool: 'bun',
    run: (app, env) => runIn(app, program(app, 'bun'), ['runtime-main.ts'], env, TIME_LIMIT),
  },
  {
    name: 'workerd (Cloudflare)',
    tool: 'workerd',
    async run(app, env) {
      await writeFile(join(app, 'worker.js'), await bundledWorker(app))
      return runIn(app, process.execPath, ['worker-run.js'], env, TIME_LIMIT)
    },
  },
]

export const RUNTIME_NAMES = RUNTIMES.map(({ name }) => name)

const program = (app: string, name: string) => join(app, 'node_modules/.bin', name)

const SOURCES = ['database.ts', 'runtime.ts', 'runtime-main.ts', 'worker.ts', 'worker-run.js']

/** Runs the package on each runtime, in one app; calls `onRow` after each. */
export async function runRuntimes(
  { tarballs, folder, backend }: Omit<AppContext, 'managers'>,
  only: string | undefined,
  onRow: (row: RuntimeRow) => void,
): Promise<RuntimeRow[]> {
  const app = join(folder, 'runtimes')
  await writeApp(app, tarballs)
  const installed = await runIn(app, 'npm', ['install', '--no-audit', '--no-fund'])
  if (installed.code !== 0) throw new Error(`npm install failed: ${lastLine(installed.text)}`)
  const env = { BACKEND_URL: backend.url, BACKEND_KEY: backend.publishableKey }
  const rows: RuntimeRow[] = []
  for (const runtime of RUNTIMES) {
    if (only !== undefined && !runtime.name.toLowerCase().includes(only.toLowerCase())) continue
    const version = await versionOf(app, runtime)
    const row = { name: runtime.name, version, ...readReport(await runtime.run(app, env)) }
    onRow(row)
    rows.push(row)
  }
  return rows
}

/** Reads what a program printed, and whether it exited. */
export function readReport({ code, text }: Output): Pick<RuntimeRow, 'done' | 'failure'> {
  const line = text.split('\n').find(one => one.startsWith('{"'))
  if (line === undefined) return { done: [], failure: lastLine(text) }
  const { done, failure } = JSON.parse(line) as Report
  if (failure !== undefined) return { done, failure }
  return code === 0 ? { done } : { done, failure: 'it did not exit' }
}

/** The cells of a row, with the failure in the column of its step. */
export function runtimeCells({ name, version, done, failure }: RuntimeRow): string[] {
  const missing = Object.keys(STEPS).find(step => !done.includes(step))
  const steps = Object.keys(STEPS).map(step =>
    done.includes(step) ? 'yes' : step === missing ? (failure ?? 'no') : '',
  )
  return [name, version, ...steps, missing === undefined ? (failure ?? 'yes') : '']
}

async function writeApp(app: string, tarballs: Tarballs): Promise<void> {
  await mkdir(app, { recursive: true })
  for (const file of SOURCES) await cp(join(root, 'scripts/matrix/app', file), join(app, file))
  const manifest = {
    name: 'app',
    private: true,
    type: 'module',
    dependencies: {
      '@supabase/ssr': '*',
      '@supabase/supabase-js': '2',
      ...fileDependencies(tarballs),
      xstate: '5',
    },
    devDependencies: { bun: '1', deno: '2', miniflare: '4' },
  }
  await writeFile(join(app, 'package.json'), JSON.stringify(manifest, undefined, 2))
}

async function versionOf(app: string, { tool }: Runtime): Promise<string> {
  if (tool === undefined) return process.versions.node
  const text = await readFile(join(app, 'node_modules', tool, 'package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

/** One module without imports, as Cloudflare's own bundler makes it. */
async function bundledWorker(app: string): Promise<string> {
  const [chunk] = await chunksOf({
    configFile: false,
    logLevel: 'error',
    root: app,
    ssr: { target: 'webworker', noExternal: true },
    build: {
      ssr: 'worker.ts',
      write: false,
      target: 'es2023',
      rollupOptions: { output: { codeSplitting: false } },
    },
  })
  if (!chunk) throw new Error('The worker was not bundled.')
  return chunk.code
}
