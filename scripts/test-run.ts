// Runs tests with vitest in this process, and reads the results of the last run.
import { readFile, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import * as v from 'valibot'
import { createVitest, parseCLI, type TestSpecification } from 'vitest/node'
import { bringChromium, bringHeadlessShell, noChromium } from './chromium.ts'
import { ensureGenerated } from './generated.ts'
import { bringPostgres } from './postgres.ts'
import { temporaryInMemory } from './test-folder.ts'
import { TestTally } from './test-tally.ts'
import { root } from './tool.ts'

const RESULTS = join(root, 'test-results')
const RESULTS_FILE = join(RESULTS, 'tests.json')

export interface RunOptions {
  /** Environment variables of the tests. */
  readonly settings?: Readonly<Record<string, string>>
  /** When to stop starting tests, in milliseconds since 1970. */
  readonly until?: number
}

export interface TestRun {
  readonly tally: TestTally
  /** Paths of files of which some tests were not run, because the time was over. */
  readonly unfinished: readonly string[]
}

/**
 * Brings a Chromium and a PostgreSQL if the files need them, and runs the tests.
 * @param args as of the command `vitest run`
 */
export async function runTests(
  args: readonly string[],
  { settings = {}, until }: RunOptions = {},
): Promise<TestRun> {
  const before = { ...process.env }
  Object.assign(process.env, settings)
  await ensureGenerated()
  // Caches the compiled code of programs that tests start.
  process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules/.cache/compiled')
  const temporary = process.env['TMPDIR'] === undefined ? temporaryInMemory() : undefined
  if (temporary !== undefined) process.env['TMPDIR'] = temporary
  await rm(RESULTS, { recursive: true, force: true })
  const { filter, options } = parseCLI(['vitest', 'run', ...args], { allowUnknownOptions: false })
  const tally = new TestTally()
  const vitest = await createVitest('test', {
    ...options,
    root,
    watch: false,
    reporters: [
      ...[options.reporters ?? 'default'].flat(),
      ['json', { outputFile: RESULTS_FILE }],
      tally,
    ] as NonNullable<typeof options.reporters>,
  })
  let files: TestSpecification[] = []
  let timer: NodeJS.Timeout | undefined
  try {
    files = await vitest.globTestSpecifications(filter)
    if (files.length === 0) throw new Error(nothingFound(filter))
    if (!(await haveWhatTheyNeed(files))) tally.failures.push('The tests need what is missing above.')
    else {
      if (until !== undefined)
        timer = setTimeout(
          () => void vitest.cancelCurrentRun('keyboard-input'),
          Math.max(0, until - Date.now()),
        )
      await vitest.start(filter)
    }
  } catch (error) {
    tally.failures.push(error instanceof Error ? error.message : String(error))
  } finally {
    clearTimeout(timer)
    await vitest.close()
    for (const name of Object.keys(settings)) restore(name, before[name])
  }
  const unfinished = files.map(({ moduleId }) => moduleId).filter(id => !tally.finished.has(id))
  return { tally, unfinished: unfinished.map(id => relative(root, id)) }
}

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name]
  else process.env[name] = value
}

const nothingFound = (filter: readonly string[]) =>
  filter.some(one => one.includes('.deep.'))
    ? `These tests are run by: npm run test:deep -- ${filter.join(' ')}`
    : `No test file matches ${filter.join(' ')}.`

async function haveWhatTheyNeed(files: readonly TestSpecification[]): Promise<boolean> {
  const needsServer =
    process.env['CHARTROOM_ENGINE'] === 'postgres' ||
    files.some(({ moduleId }) => /\/tests\/backend\/.*\.deep\./.test(moduleId))
  return (
    (!files.some(({ project }) => project.name === 'browser') || (await haveChromium())) &&
    (!needsServer || (await havePostgres()))
  )
}

/** Whether the browser tests have a Chromium; prints instructions if not. */
async function haveChromium(): Promise<boolean> {
  const isChosen = Boolean(process.env['CHROMIUM_PATH'])
  const chromium = await bringChromium()
  if (chromium) {
    process.env['CHROMIUM_PATH'] = chromium
    process.env['CHROMIUM_HEADLESS_SHELL'] = isChosen ? chromium : await bringHeadlessShell(chromium)
  } else console.error(noChromium)
  return chromium !== undefined
}

/** Whether the tests of the server engine have a PostgreSQL; prints instructions if not. */
async function havePostgres(): Promise<boolean> {
  const problem = await bringPostgres()
  if (problem !== undefined) console.error(problem)
  return problem === undefined
}

const resultsSchema = v.object({
  testResults: v.array(
    v.object({
      name: v.string(),
      startTime: v.number(),
      endTime: v.number(),
      assertionResults: v.array(v.object({ status: v.string(), title: v.string() })),
    }),
  ),
})

type FileResult = v.InferOutput<typeof resultsSchema>['testResults'][number]

/** The results of the last run, by file; times in milliseconds since 1970. */
export async function readTestResults(): Promise<readonly FileResult[]> {
  const text: unknown = JSON.parse(await readFile(RESULTS_FILE, 'utf8'))
  return v.parse(resultsSchema, text).testResults
}

/** The titles of a file's tests with this status. */
export const titlesOf = (
  { assertionResults }: FileResult,
  status: 'passed' | 'failed' | 'skipped',
): string[] => assertionResults.filter(one => one.status === status).map(({ title }) => title)
