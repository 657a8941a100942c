// `npm run test:deep`: all random cases, the slow tests, and the backend's tests on a PostgreSQL server.
import { glob, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureEvidence } from './evidence-packages.ts'
import { mergeRows, readTable, updateTable, type Cells } from './page-tables.ts'
import { rotated } from './test-order.ts'
import { runScript } from './run-script.ts'
import { readTestResults, runTests, titlesOf, type RunOptions, type TestRun } from './test-run.ts'
import { root } from './tool.ts'

const PAGE = 'docs/test-postgres.md'
const BACKEND = 'tests/backend'
const COLUMNS = ['File', 'Passed', 'Failed', 'Skipped', 'Reason']
/** The first row has the sums of the others. */
const ALL = 'all'
const DAY = 86_400_000
/** More than a run takes of them. */
const SEEDS_PER_DAY = 10_000

const USAGE = `Usage: npm run -s test:deep -- [--minutes N] [--seed N] [--only cases|postgres] [--write] [FILE...]

Runs what npm test leaves out, in two parts:

  cases     the files *.deep.test.ts (builds, load, kills), and every file with random cases, with all of them
  postgres  ${BACKEND} on a PostgreSQL server instead of PGlite

Both take about 25 minutes on two cores. Seeds follow from the date, so each day has others. A seed that fails is
added to tests/kept-seeds.jsonl: commit it, and npm test runs it from then on.

  --minutes N  starts no test after that time, and lists the files that were left out; which ones differs by day
  --seed N     the first seed, to repeat a run
  --only PART  one part; with FILE, cases by default
  --write      replaces the rows of these files in ${PAGE}

Exit code: 0 all tests passed, 1 some did not, 2 wrong usage.`

/** Why tests are skipped on a server (`testOnPglite`). */
const SKIPPED: Readonly<Record<string, string>> = {
  'damage.test.ts': 'damages files of PGlite',
  'disk-full.test.ts': 'fills the disk in this process, where PGlite writes',
  'engine-failure.test.ts': 'the failures of PGlite',
  'rest/patterns.test.ts': 'the limits of PGlite on patterns',
  'service-extensions.test.ts':
    'drivers have no key of the vault on a server; functions of `http` do not exist',
  'start-cost.test.ts': 'the start of PGlite',
  'stopped-memory.test.ts': 'the memory of PGlite',
  'wire-hostile.test.ts': 'the database URL of PGlite',
  'wire-sql.test.ts': 'the database URL of PGlite refuses `COPY`',
}

const PARTS = ['cases', 'postgres'] as const
type Part = (typeof PARTS)[number]

interface Flags {
  readonly help: boolean
  readonly write: boolean
  /** Infinity: no limit. */
  readonly minutes: number
  readonly seed: number
  readonly parts: readonly Part[]
  readonly files: readonly string[]
}

await runScript(USAGE, read, main)

function read(): Flags | string {
  const { values, positionals } = parseArgs({
    options: {
      help: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      minutes: { type: 'string' },
      seed: { type: 'string' },
      only: { type: 'string' },
    },
    allowPositionals: true,
  })
  const minutes = values.minutes === undefined ? Infinity : Number(values.minutes)
  if (!(minutes > 0)) return `--minutes takes a number above 0, not ${values.minutes}.`
  const seed = Number(values.seed ?? Math.floor(Date.now() / DAY) * SEEDS_PER_DAY)
  if (!Number.isSafeInteger(seed) || seed < 0) return `--seed takes a whole number, not ${values.seed}.`
  const only = values.only ?? (positionals.length > 0 ? 'cases' : undefined)
  const parts = PARTS.filter(part => only === undefined || part === only)
  if (parts.length === 0) return `--only takes ${PARTS.join(' or ')}, not ${values.only}.`
  return { help: values.help, write: values.write, minutes, seed, parts, files: positionals }
}

async function main({ minutes, seed, parts, files, write }: Flags): Promise<number> {
  console.log(`First seed ${seed}; to repeat this run: npm run test:deep -- --seed ${seed}`)
  const day = Math.floor(seed / SEEDS_PER_DAY)
  const started = Date.now()
  const runs: TestRun[] = []
  for (const [at, part] of rotated(parts, day).entries()) {
    // Each part gets its share of the time that is left.
    const left = started + minutes * 60_000 - Date.now()
    const until = Date.now() + left / (parts.length - at)
    const settings = { CHARTROOM_DEEP: 'true', CHARTROOM_SEED: `${seed}` }
    const all: RunOptions = Number.isFinite(until)
      ? { settings: { ...settings, CHARTROOM_DAY: `${day}` }, until }
      : { settings }
    runs.push(part === 'cases' ? await runCases(files, all) : await runOnServer(files, all, write))
  }
  for (const failure of runs.flatMap(({ tally }) => tally.failures)) console.log(`FAILED ${failure}`)
  const sum = (of: 'passed' | 'failed' | 'skipped') => runs.reduce((total, { tally }) => total + tally[of], 0)
  for (const { unfinished } of runs)
    if (unfinished.length > 0)
      console.log(`Left out after ${minutes} minutes, in part or whole: ${unfinished.join(', ')}`)
  console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`)
  return sum('failed') === 0 && sum('passed') > 0 && !process.exitCode ? 0 : 1
}

async function runCases(files: readonly string[], options: RunOptions): Promise<TestRun> {
  await ensureEvidence()
  return runTests(files.length > 0 ? files : await Array.fromAsync(filesOfCases()), options)
}

async function* filesOfCases(): AsyncGenerator<string> {
  for await (const file of glob('{tests,evidence/tests}/**/*.test.{ts,tsx}', { cwd: root }))
    if (
      file.includes('.deep.test.') ||
      (await readFile(join(root, file), 'utf8')).includes('/harness/volume.ts')
    )
      yield file
}

async function runOnServer(files: readonly string[], options: RunOptions, write: boolean): Promise<TestRun> {
  const settings = { ...options.settings, CHARTROOM_ENGINE: 'postgres' }
  const run = await runTests(files.length > 0 ? files : [BACKEND], { ...options, settings })
  if (write) await writeRows()
  return run
}

async function writeRows(): Promise<void> {
  const made = (await readTestResults()).map(result => {
    const file = relative(join(root, BACKEND), result.name)
    const [passed, failed, skipped] = (['passed', 'failed', 'skipped'] as const).map(
      status => titlesOf(result, status).length,
    )
    const reason = skipped ? (SKIPPED[file] ?? 'to be examined') : ''
    return [`\`${file}\``, `${passed}`, `${failed}`, `${skipped}`, reason]
  })
  const names = await Array.fromAsync(
    glob('**/*.test.ts', { cwd: join(root, BACKEND) }),
    file => `\`${file}\``,
  )
  const rows = mergeRows(made, await readTable('files', PAGE), names.sort())
  const sum = (column: number) => `${rows.reduce((total, row) => total + Number(row[column]), 0)}`
  const all: Cells = [ALL, sum(1), sum(2), sum(3), '']
  await updateTable('files', COLUMNS, [all, ...rows], [ALL, ...names], { page: PAGE })
}
