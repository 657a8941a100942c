// One example: copied to a new folder, installed from the packed packages, and tested step by step.
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { lastLine, type Managers, runIn } from '../matrix/installers.ts'
import type { Tarballs } from '../pack.ts'
import { root } from '../tool.ts'
import type { InstalledBackend } from './process.ts'

export const EXAMPLES = join(root, 'examples')

/** The time limit of a script, in milliseconds: a first build on a busy machine takes minutes. */
export const PATIENCE = 900_000

export interface TrialContext {
  readonly managers: Managers
  readonly tarballs: Tarballs
  /** Where examples are copied to. */
  readonly folder: string
  readonly backend: InstalledBackend
  readonly browser: Browser
  readonly chromium: string
}

export interface Trial extends TrialContext {
  /** The folder of the copied example. */
  readonly app: string
  /** The variables that name the backend, with the prefixes of all build tools. */
  readonly env: Readonly<Record<string, string>>
  /** Runs a step; an error names it. */
  step(name: string, run: () => Promise<void>): Promise<void>
  /** Installs what the example's package.json names. */
  install(): Promise<void>
  /** Runs a script of the example's package.json. @throws Error with its last line if it fails */
  script(name: string, env?: Readonly<Record<string, string>>): Promise<string>
}

export interface Example {
  readonly name: string
  /** Folders whose files are copied over one another. Defaults to the one with its name in `examples`. */
  readonly folders?: readonly string[]
  /** The packages whose versions are in the table. */
  readonly packages: readonly string[]
  /** What is tested once the example is installed and its types are checked. */
  readonly run: (trial: Trial) => Promise<void>
}

export interface Row {
  readonly name: string
  /** Such as `react 19.3.1`. */
  readonly versions: readonly string[]
  /** The steps that passed. */
  readonly done: readonly string[]
  readonly failure: string | undefined
}

const NO_TELEMETRY = {
  NEXT_TELEMETRY_DISABLED: '1',
  NUXT_TELEMETRY_DISABLED: '1',
  ASTRO_TELEMETRY_DISABLED: '1',
}

export async function tryExample(
  context: TrialContext,
  { name, folders = [join(EXAMPLES, name)], packages, run }: Example,
): Promise<Row> {
  const app = join(context.folder, name)
  const done: string[] = []
  const { url, publishableKey } = context.backend
  const trial: Trial = {
    ...context,
    app,
    env: {
      ...NO_TELEMETRY,
      ...Object.fromEntries(
        ['', 'VITE_', 'NEXT_PUBLIC_', 'NUXT_PUBLIC_', 'PUBLIC_'].flatMap(prefix => [
          [`${prefix}SUPABASE_URL`, url],
          [`${prefix}SUPABASE_PUBLISHABLE_KEY`, publishableKey],
        ]),
      ),
    },
    async step(title, act) {
      try {
        await act()
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error)
        throw new Error(`${title} failed: ${text.split('\n')[0]}`, { cause: error })
      }
      done.push(title)
    },
    async install() {
      const problem = await context.managers.install('npm', app)
      if (problem !== undefined) throw new Error(problem)
    },
    async script(script, env = {}) {
      const { code, text } = await runIn(
        app,
        'npm',
        ['run', '--silent', script],
        { ...trial.env, ...env },
        PATIENCE,
      )
      if (code !== 0) throw new Error(`npm run ${script}: ${lastLine(text)}`)
      return text
    },
  }
  const row = async (failure: string | undefined) => ({
    name,
    versions: await versionsIn(app, packages),
    done,
    failure,
  })
  try {
    await trial.step('install', async () => {
      for (const each of folders) await cp(each, app, { recursive: true })
      await useTarballs(join(app, 'package.json'), context.tarballs)
      await trial.install()
    })
    await trial.step('types', async () => void (await trial.script('types')))
    await run(trial)
    return await row(undefined)
  } catch (error) {
    return row(error instanceof Error ? error.message : String(error))
  }
}

/** Replaces versions of the project's own packages by their tarballs. */
async function useTarballs(file: string, tarballs: Tarballs): Promise<void> {
  const manifest = JSON.parse(await readFile(file, 'utf8')) as Record<string, Record<string, string>>
  for (const part of [manifest['dependencies'], manifest['devDependencies']])
    for (const name of Object.keys(part ?? {}))
      if (part && tarballs[name] !== undefined) part[name] = `file:${tarballs[name]}`
  await writeFile(file, JSON.stringify(manifest, undefined, 2))
}

async function versionsIn(app: string, packages: readonly string[]): Promise<string[]> {
  const found = packages.map(async name => {
    const text = await readFile(join(app, 'node_modules', name, 'package.json'), 'utf8').catch(() => '{}')
    const { version } = JSON.parse(text) as { readonly version?: string }
    return version === undefined ? [] : [`${name} ${version}`]
  })
  return (await Promise.all(found)).flat()
}
