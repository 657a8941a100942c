// Package managers from npm, and how each installs an app's dependencies.
import { execFile } from 'node:child_process'
import { access, mkdir } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { MANAGERS, type Manager } from './combinations.ts'

/** The versions from npm; npm itself is the machine's. */
const PACKAGES: Readonly<Record<Exclude<Manager, 'npm'>, string>> = {
  pnpm: 'pnpm@12.21.0',
  yarn: 'yarn@1.22.22',
  bun: 'bun@1.4.5',
}

const INSTALL: Readonly<Record<Manager, readonly string[]>> = {
  npm: ['install', '--no-audit', '--no-fund'],
  // Without the first flag, a peer that does not fit is only a warning, as in yarn and bun; without the second,
  // install scripts that were not approved are an error.
  pnpm: ['install', '--strict-peer-dependencies', '--config.strict-dep-builds=false'],
  yarn: ['install', '--non-interactive', '--no-progress'],
  bun: ['install'],
}

/** A warning about a peer of chartroom that does not fit. */
const WRONG_PEER = /^.*(?:chartroom.*(?:unmet|incorrect) peer|(?:unmet|incorrect) peer.*chartroom).*$/im

export interface Output {
  readonly code: number
  readonly text: string
}

/** Runs a program in a folder with a time limit in milliseconds; never rejects. */
export function runIn(
  folder: string,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  // An installation on a busy machine.
  timeout = 600_000,
): Promise<Output> {
  const PATH = env['PATH'] ?? [dirname(process.execPath), process.env['PATH']].join(delimiter)
  const options = {
    cwd: folder,
    env: {
      // yarn would use its default registry.
      npm_config_registry: 'https://registry.npmjs.org/',
      ...process.env,
      // npm leaves a cache in the temporary folder.
      NODE_DISABLE_COMPILE_CACHE: '1',
      ...env,
      PATH,
      CI: '1',
    },
    timeout,
    maxBuffer: 64 << 20,
  }
  return new Promise(resolve => {
    execFile(program, [...args], options, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : 1) : 0
      const stopped = error?.killed === true ? `\nError: stopped after ${timeout / 1000} s` : ''
      resolve({ code, text: `${stdout}${stderr}${stopped}` })
    })
  })
}

export interface Managers {
  /** Installs the dependencies of the folder's package.json. @returns what went wrong */
  install(manager: Manager, folder: string): Promise<string | undefined>
  /** Why a package manager cannot run here. */
  readonly skipped: ReadonlyMap<Manager, string>
}

/** Installs the package managers below `folder`; npm itself is there. */
export async function bringManagers(folder: string, names: readonly Manager[] = MANAGERS): Promise<Managers> {
  const programs = new Map<Manager, string>([['npm', 'npm']])
  const skipped = new Map<Manager, string>()
  for (const manager of names) {
    if (manager === 'npm') continue
    const own = join(folder, manager)
    await mkdir(own, { recursive: true })
    const { code, text } = await runIn(own, 'npm', [
      'install',
      '--no-audit',
      '--no-fund',
      '--prefix',
      own,
      PACKAGES[manager],
    ])
    const program = join(own, 'node_modules/.bin', manager)
    const problem = code === 0 ? await problemOf(program, own) : lastLine(text)
    if (problem === undefined) programs.set(manager, program)
    else skipped.set(manager, problem)
  }
  return {
    skipped,
    async install(manager, app) {
      const program = programs.get(manager)
      if (program === undefined) return `no ${manager} here`
      const { code, text } = await runIn(app, program, INSTALL[manager])
      if (code !== 0) return lastLine(text)
      return WRONG_PEER.exec(text)?.[0].trim()
    },
  }
}

async function problemOf(program: string, folder: string): Promise<string | undefined> {
  try {
    await access(program)
  } catch {
    return 'its package has no program for this machine'
  }
  const { code, text } = await runIn(folder, program, ['--version'])
  return code === 0 ? undefined : lastLine(text)
}

/** The end of a program's output, as one line. */
export function lastLine(text: string): string {
  const lines = text.trim().split('\n')
  return (lines.findLast(line => /error/i.test(line)) ?? lines.at(-1) ?? 'no output').trim().slice(0, 300)
}
