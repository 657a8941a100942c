// supabase-js on other runtimes: its own tests for Deno, Bun, Expo and Next.js, in copies of their folders. The
// client is the one of this project, from npm, since the copies name a build of each commit elsewhere.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import manifest from '../../package.json' with { type: 'json' }
import { findDeno, INSTALL_DENO } from '../../backend/functions/index.ts'
import type { BackendOptions } from '../../backend/index.ts'
import { browserForTests } from '../chromium.ts'
import { runJest, type TestOutcome } from './jest.ts'
import { runIn } from './run.ts'

export interface Programs {
  readonly bun: string
}

/** The pages that the tests of CORS name; other origins than loopback need to be allowed. */
const ORIGINS = ['https://example.com']

const CLIENT = manifest.dependencies['@supabase/supabase-js']

/** What the tests and functions import from hosts other than npm. */
const SUBSTITUTES = {
  'https://deno.land/std@0.220.1/assert/mod.ts': `
import { deepStrictEqual, notStrictEqual } from 'node:assert'
export const assertEquals = deepStrictEqual
export const assertExists = value => (notStrictEqual(value, null), notStrictEqual(value, undefined))`,
  'https://deno.land/std@0.168.0/http/server.ts': `export const serve = handler => Deno.serve(handler)`,
}

interface Runtime {
  /** The folder of its tests, in the package. */
  readonly folder: string
  /** Runs the tests in a copy of the folder. */
  run(copy: string, programs: Programs): Promise<TestOutcome[]>
}

export const RUNTIMES = {
  Deno: { folder: 'test/deno', run: runDeno },
  Bun: { folder: 'test/integration/bun', run: runBun },
  Expo: { folder: 'test/integration/expo', run: runExpo },
  'Next.js': { folder: 'test/integration/next', run: runNext },
} satisfies Record<string, Runtime>

/**
 * Runs the tests of a runtime.
 * @param packageDir supabase-js in its checkout
 * @param withBackend serves a project while it works
 */
export async function runRuntime(
  name: keyof typeof RUNTIMES,
  packageDir: string,
  programs: Programs,
  withBackend: <T>(options: Partial<BackendOptions>, work: () => Promise<T>) => Promise<T>,
): Promise<TestOutcome[]> {
  const { folder, run }: Runtime = RUNTIMES[name]
  const copies = mkdtempSync(join(tmpdir(), 'chartroom-compatibility-'))
  try {
    const [project, copy] = [join(copies, 'project'), join(copies, 'tests')]
    cpSync(join(packageDir, 'supabase'), join(project, 'supabase'), { recursive: true })
    const functions = join(project, 'supabase/functions')
    for (const each of readdirSync(functions)) writeImports(join(functions, each))
    cpSync(join(packageDir, folder), copy, { recursive: true })
    return await withBackend({ project, allowOrigins: ORIGINS }, () => run(copy, programs))
  } finally {
    rmSync(copies, { recursive: true, force: true })
  }
}

/** Replaces the imports of a `deno.json` by packages of npm and the substitutes. */
function writeImports(folder: string): void {
  const client = `npm:@supabase/supabase-js@${CLIENT}`
  const imports: Record<string, string> = {
    '@supabase/supabase-js': client,
    '@supabase/supabase-js/cors': `${client}/cors`,
  }
  for (const [n, [url, code]] of Object.entries(SUBSTITUTES).entries()) {
    writeFileSync(join(folder, `substitute-${n}.ts`), code)
    imports[url] = `./substitute-${n}.ts`
  }
  writeFileSync(join(folder, 'deno.json'), JSON.stringify({ lock: false, nodeModulesDir: 'none', imports }))
}

async function runDeno(copy: string): Promise<TestOutcome[]> {
  const { deno } = findDeno(undefined)
  if (!deno) throw new Error(`There is no Deno: ${INSTALL_DENO}, or add one to PATH.`)
  writeImports(copy)
  const report = join(copy, 'report.xml')
  const flags = ['--allow-all', '--no-check', '--unstable-sloppy-imports', '--unstable-detect-cjs']
  const { output } = await runIn(copy, deno.path, ['test', ...flags, `--junit-path=${report}`])
  return readJunit(report, output)
}

async function runBun(copy: string, { bun }: Programs): Promise<TestOutcome[]> {
  await install(copy)
  const report = join(copy, 'report.xml')
  const { output } = await runIn(copy, bun, ['test', '--reporter=junit', `--reporter-outfile=${report}`])
  return readJunit(report, output)
}

/** The plugin of Reanimated needs a peer that the folder does not name. */
async function runExpo(copy: string): Promise<TestOutcome[]> {
  await install(copy, ['react-native-worklets@0.5.1'])
  return runJest(copy, [])
}

const playwrightSchema = v.object({
  suites: v.array(v.lazy(() => suiteSchema)),
})
interface PlaywrightSuite {
  readonly title: string
  readonly suites?: readonly PlaywrightSuite[] | undefined
  readonly specs: readonly { readonly title: string; readonly ok: boolean }[]
}
const suiteSchema: v.GenericSchema<unknown, PlaywrightSuite> = v.object({
  title: v.string(),
  suites: v.optional(v.array(v.lazy(() => suiteSchema))),
  specs: v.array(v.object({ title: v.string(), ok: v.boolean() })),
})

/** Only in Chromium, without Playwright's own browsers. */
async function runNext(copy: string): Promise<TestOutcome[]> {
  await install(copy)
  const launch = JSON.stringify({ executablePath: await browserForTests(), args: ['--no-sandbox'] })
  writeFileSync(
    join(copy, 'chromium.config.ts'),
    `import own from './playwright.config'
export default { ...own, projects: [{ name: 'chromium', use: { launchOptions: ${launch} } }] }\n`,
  )
  const args = ['playwright', 'test', '--config=chromium.config.ts', '--reporter=json', '--workers=1']
  const { stdout, output } = await runIn(copy, 'npx', args)
  const report = v.safeParse(v.pipe(v.string(), v.parseJson(), playwrightSchema), stdout)
  if (!report.success) throw new Error(`Playwright wrote no report. Its output ends with:\n${end(output)}`)
  const read = ({ title, suites = [], specs }: PlaywrightSuite): TestOutcome[] =>
    [
      ...specs.map(spec => ({ name: spec.title, passed: spec.ok, reason: undefined })),
      ...suites.flatMap(read),
    ].map(test => ({ ...test, name: `${title}: ${test.name}` }))
  return report.output.suites.flatMap(read)
}

/** @throws Error with npm's output */
async function install(folder: string, more: readonly string[] = []): Promise<void> {
  const file = join(folder, 'package.json')
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(/https:\/\/pkg\.pr\.new\/[^"]*/, CLIENT))
  const { code, output } = await runIn(folder, 'npm', [
    'install',
    '--no-audit',
    '--no-fund',
    '--legacy-peer-deps',
    ...more,
  ])
  if (code !== 0) throw new Error(`npm install failed in a copy of the tests:\n${end(output)}`)
}

const TEST_CASE = /<testcase ([^>]*?)(?:\/>|>([^]*?)<\/testcase>)/g

/** @throws Error with the output if there is no report */
function readJunit(report: string, output: string): TestOutcome[] {
  if (!existsSync(report))
    throw new Error(`The tests wrote no report. Their output ends with:\n${end(output)}`)
  return [...readFileSync(report, 'utf8').matchAll(TEST_CASE)].flatMap(([, attributes = '', body = '']) => {
    if (body.includes('<skipped')) return []
    const [, name = ''] = / ?\bname="([^"]*)"/.exec(attributes) ?? []
    const [, group = ''] = /\bclassname="([^"]*)"/.exec(attributes) ?? []
    const [, reason] = /<failure[^>]*message="([^"\n]*)/.exec(body) ?? []
    return [{ name: `${group}: ${name}`, passed: !/<(?:failure|error)\b/.test(body), reason }]
  })
}

const end = (output: string) => output.slice(-2_000)
