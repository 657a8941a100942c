// One combination of the matrix: an app in a new folder, installed, type-checked, run and tested.
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Axis, Combination } from './combinations.ts'
import { lastLine, runIn, type Managers } from './installers.ts'
import { fileDependencies, type Tarballs } from '../pack.ts'
import { root } from '../tool.ts'

export interface AppContext {
  readonly managers: Managers
  readonly tarballs: Tarballs
  /** Where apps are created. */
  readonly folder: string
  readonly backend: { readonly url: string; readonly publishableKey: string }
}

export interface Row {
  readonly combination: Combination
  /** The installed versions, by axis. */
  readonly versions: Partial<Record<Axis, string>>
  /** The step that failed, and why. */
  readonly failure?: { readonly step: string; readonly reason: string }
  /** Why it was not run. */
  readonly skipped?: string
}

const SOURCES = join(root, 'scripts/matrix/app')

/** The package of each axis except the manager. */
const PACKAGE = {
  react: 'react',
  vitest: 'vitest',
  typescript: 'typescript',
  supabase: '@supabase/supabase-js',
} as const

export async function runApp(context: AppContext, combination: Combination): Promise<Row> {
  const reason = context.managers.skipped.get(combination.manager)
  if (reason !== undefined) return { combination, versions: {}, skipped: reason }
  const app = join(context.folder, Object.values(combination).join('-'))
  await writeApp(app, context.tarballs, combination)
  try {
    for (const [step, run] of Object.entries(STEPS)) {
      const problem = await run(app, context, combination)
      if (problem !== undefined)
        return { combination, versions: await versionsIn(app), failure: { step, reason: problem } }
    }
    return { combination, versions: await versionsIn(app) }
  } finally {
    await rm(app, { recursive: true, force: true })
  }
}

type Step = (app: string, context: AppContext, combination: Combination) => Promise<string | undefined>

const STEPS: Readonly<Record<string, Step>> = {
  install: (app, { managers }, { manager }) => managers.install(manager, app),
  types: checkTypes,
  program: runProgram('program.ts'),
  react: runProgram('react.ts'),
  tests: async app => {
    // The first import takes longer than Vitest's five seconds on a busy machine.
    const args = ['node_modules/vitest/vitest.mjs', 'run', '--testTimeout', '60000']
    const { code, text } = await runIn(app, process.execPath, args, { NO_COLOR: '1' })
    return code === 0 ? undefined : lastLine(text)
  },
}

/** Errors inside other packages are not counted: their types are checked with every version of TypeScript. */
async function checkTypes(app: string): Promise<string | undefined> {
  const { text } = await runIn(app, process.execPath, [
    'node_modules/typescript/bin/tsc',
    '-p',
    '.',
    '--pretty',
    'false',
  ])
  const errors = text.split('\n').filter(line => /error TS/.test(line))
  const own = errors.filter(
    line =>
      !/node_modules/.test(line) || /node_modules[\\/](?:@chartroom[\\/]devtools|chartroom)[\\/]/.test(line),
  )
  return own.length === 0 ? undefined : `${own.length} errors, first: ${own[0]}`
}

function runProgram(name: string): Step {
  return async (app, { backend }) => {
    const env = { BACKEND_URL: backend.url, BACKEND_KEY: backend.publishableKey }
    const { code, text } = await runIn(app, process.execPath, ['--no-warnings', name], env)
    return code === 0 ? undefined : lastLine(text)
  }
}

async function writeApp(
  app: string,
  tarballs: Tarballs,
  { react, vitest, typescript, supabase }: Combination,
) {
  await mkdir(app, { recursive: true })
  const matchers = Number(vitest) >= 5 ? 'matchers.test.ts' : 'old-vitest.test.ts'
  for (const file of ['database.ts', 'program.ts', 'react.ts', 'lamp.test.ts', matchers])
    await cp(join(SOURCES, file), join(app, file))
  const manifest = {
    name: 'app',
    private: true,
    type: 'module',
    dependencies: {
      '@supabase/supabase-js': supabase,
      ...fileDependencies(tarballs),
      react,
      'react-dom': react,
      xstate: '5',
    },
    devDependencies: {
      '@types/node': '24',
      '@types/react': react,
      '@types/react-dom': react,
      'happy-dom': '21',
      typescript,
      // A peer of Vitest 5, which yarn does not install automatically.
      ...(Number(vitest) >= 5 ? { vite: '8' } : {}),
      vitest,
    },
  }
  const compilerOptions = {
    target: 'ES2022',
    lib: ['ES2023', 'ESNext.Disposable', 'DOM', 'DOM.Iterable'],
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    types: ['node'],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    // Before 5.7, typed arrays are not generic, which the package's types need.
    skipLibCheck: Number(typescript) < 5.7,
  }
  await writeFile(join(app, 'package.json'), JSON.stringify(manifest, undefined, 2))
  await writeFile(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
}

async function versionsIn(app: string): Promise<Partial<Record<Axis, string>>> {
  const found: Partial<Record<Axis, string>> = {}
  for (const axis of ['react', 'vitest', 'typescript', 'supabase'] as const) {
    const file = join(app, 'node_modules', PACKAGE[axis], 'package.json')
    const text = await readFile(file, 'utf8').catch(() => undefined)
    if (text !== undefined) found[axis] = (JSON.parse(text) as { version: string }).version
  }
  return found
}
