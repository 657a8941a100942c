// `npm run installs`: installs the packed packages into empty folders outside of the repository, with each package
// manager and each Node, and uses them there.
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { lastLine, runIn } from '../matrix/installers.ts'
import { buildAndPack, tarballsIn } from '../pack.ts'
import { runScript } from '../run-script.ts'
import {
  type App,
  BACKEND_STEPS,
  backendEntries,
  checkTypes,
  DEVTOOLS_STEPS,
  entriesWith,
  EVERYTHING,
  importEntries,
  runInApp,
  tryPostgres,
  writeApp,
} from './trial.ts'

const USAGE = `Usage: npm run -s installs -- [--packed DIR] [--only TEXT]

Installs the packages into new folders from the npm registry, with each package manager, and uses them with each
Node: programs, entries, types, the backend's engines, and what they print on a Node that is too old. A row takes
some minutes.

  --packed DIR  uses the packed packages in this folder, e.g. dist-packages, instead of building them
  --only TEXT   only rows with this text, e.g. "pnpm" or "node 22"

Exit code: 0 all rows passed, 1 some did not, 2 wrong usage.`

/** A package manager from npm: the package of its program, if it is not the machine's, and how it installs. */
const MANAGERS: Readonly<Record<string, { readonly from?: string; readonly install: readonly string[] }>> = {
  npm: { install: ['npm', 'install', '--no-audit', '--no-fund'] },
  // Without the flag, install scripts that were not approved are an error.
  pnpm: { from: 'pnpm@12.21.0', install: ['pnpm', 'install', '--config.strict-dep-builds=false'] },
  yarn: { from: 'yarn@1.22.22', install: ['yarn', 'install', '--non-interactive', '--no-progress'] },
  'yarn-4': { from: '@yarnpkg/cli-dist@4.18.1', install: ['yarn', 'install'] },
}

/** Current ones, the oldest that is supported, and one that is too old. Each major version installs into an empty folder. */
const NODES = ['24.21.0', '22.23.5', '22.13.0', '20.20.2']
const TOO_OLD = '20.'

interface Flags {
  readonly help: boolean
  readonly packed: string | undefined
  readonly only: string | undefined
}

await runScript(USAGE, read, main)

function read(): Flags | string {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', default: false },
      packed: { type: 'string' },
      only: { type: 'string' },
    },
  })
  return { ...values, packed: values.packed, only: values.only }
}

async function main({ packed, only }: Flags): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'chartroom-installs-'))
  // PostgreSQL runs as another user if this runs as root.
  await chmod(folder, 0o755)
  try {
    const tarballs = packed === undefined ? await buildAndPack(folder) : tarballsIn(packed)
    let failures = 0
    for (const manager of Object.keys(MANAGERS)) {
      const nodes = NODES.filter(node => `${manager}, node ${node}`.includes(only ?? ''))
      if (nodes.length === 0) continue
      const app = join(folder, manager)
      await writeApp(app, tarballs, EVERYTHING)
      const install = await managerOf(folder, manager)
      let installedBy: string | undefined
      for (const node of nodes) {
        const nodeFolder = await nodeOf(folder, node)
        if (majorOf(node) !== installedBy && !node.startsWith(TOO_OLD))
          await rm(join(app, 'node_modules'), { recursive: true, force: true })
        installedBy = majorOf(node)
        const results = await row({ folder: app, nodeFolder }, install, node.startsWith(TOO_OLD))
        console.log(`${manager}, node ${node}: ${results.join(', ')}`)
        if (results.some(result => result.includes('FAILED'))) failures += 1
      }
    }
    return failures === 0 ? 0 : 1
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function majorOf(node: string): string | undefined {
  return node.split('.')[0]
}

type Install = (app: App) => Promise<string>

/** The command that installs an app's dependencies. */
async function managerOf(folder: string, manager: string): Promise<Install> {
  const { from, install: [name = '', ...args] = [] } = MANAGERS[manager] ?? {}
  const place = join(folder, `manager-${manager}`)
  if (from !== undefined) await bring(place, from)
  const program = from === undefined ? name : join(place, 'node_modules/.bin', name)
  return async app => {
    if (manager === 'yarn-4') {
      // Without a separate lockfile, it looks for a project above; it refuses to write one when CI is set.
      const settings = 'nodeLinker: node-modules\nenableImmutableInstalls: false\nenableTelemetry: false\n'
      await writeFile(join(app.folder, '.yarnrc.yml'), settings)
      await writeFile(join(app.folder, 'yarn.lock'), '')
    }
    const { code, text } = await runInApp(app, program, args)
    return code === 0 ? 'installs' : `FAILED to install: ${lastLine(text)}`
  }
}

/** The folder of the programs of this version of Node, from npm. */
async function nodeOf(folder: string, version: string): Promise<string> {
  const place = join(folder, `node-${version}`)
  const name = `node-${process.platform}-${process.arch}`
  await bring(place, `${name}@${version}`)
  return join(place, 'node_modules', name, 'bin')
}

async function bring(place: string, from: string): Promise<void> {
  await mkdir(place, { recursive: true })
  const { code, text } = await runIn(place, 'npm', [
    'install',
    '--no-audit',
    '--no-fund',
    '--prefix',
    place,
    from,
  ])
  if (code !== 0) throw new Error(`${from} was not installed: ${lastLine(text)}`)
}

async function row(app: App, install: Install, isTooOld: boolean): Promise<string[]> {
  const installed = await install(app)
  if (isTooOld) return [installed.replace('FAILED to install', 'install'), ...(await sentencesOf(app))]
  if (installed.includes('FAILED')) return [installed]
  const steps: Readonly<Record<string, (app: App) => Promise<unknown>>> = {
    ...DEVTOOLS_STEPS,
    entries: () => importEntries(app, [...entriesWith('frameworks'), ...backendEntries]),
    types: checkTypes,
    ...BACKEND_STEPS,
    postgres: tryPostgres,
  }
  const results = [installed]
  for (const [name, step] of Object.entries(steps)) {
    try {
      const result = await step(app)
      results.push(typeof result === 'string' ? `${name} ${result}` : name)
    } catch (error) {
      results.push(`${name} FAILED: ${(error as Error).message}`)
    }
  }
  return results
}

/** What the programs print on a Node that is too old. */
async function sentencesOf(app: App): Promise<string[]> {
  const printed: string[] = []
  for (const name of ['chartroom', 'chartroom-backend', 'create-chartroom']) {
    const { code, text } = await runInApp(app, join(app.folder, 'node_modules/.bin', name), ['--version'])
    const isSentence = code === 1 && text.trim().split('\n').length === 1 && text.includes(' needs Node ')
    printed.push(`${name} ${isSentence ? 'prints' : `FAILED with ${code}`}: ${text.trim()}`)
  }
  return printed
}
