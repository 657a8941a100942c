// `npm run compatibility -- client`: runs the client and the workbench on an original auth server.
import { parseArgs } from 'node:util'
import { updateTable, type Cells } from '../../page-tables.ts'
import { readTestResults, runTests, titlesOf } from '../../test-run.ts'
import { removeUsers } from '../compare/auth/users.ts'
import { connectOriginal, type Server } from '../compare/servers.ts'
import { compareChaos } from './chaos.ts'
import { KNOWN } from './known.ts'
import { compareRows } from './rows.ts'
import { SETTINGS, type Settings } from './settings.ts'

const USUAL = 'usual'

const USAGE = `Usage: npm run compatibility -- client --auth URL [--settings NAME] [--smtp-port N] [--write] [PART...]
       npm run compatibility -- client --environment NAME

Runs parts of the client and the workbench with an original auth server: the rows of docs/side-by-side.md, the auth
requests of chaos schedules, and test files. The users of the original are removed.

--auth URL          an original auth server with the environment of the settings and an empty database
--settings NAME     ${Object.keys(SETTINGS).join(', ')} (default: ${USUAL})
--environment NAME  prints the environment variables of these settings for the original
--smtp-port N       where the original's emails arrive (default: 2500)
--write             writes the results to docs/compatibility.md
PART                rows, chaos or a test file (default: all of the settings)

Exit code: 0 every failure has a reason, 1 one has none, 2 wrong usage.`

const TABLE = 'client'
const COLUMNS = ['What', 'Passed', 'Failed', 'Reasons']
const ROWS = 'rows'
const CHAOS = 'chaos'
/** A day each; three of the first 130 reuse a refresh token after its time. */
const SCHEDULES = 130
const ROWS_LABEL = 'rows of [side by side](side-by-side.md), each with both clients'
const CHAOS_LABEL = `auth requests of ${SCHEDULES} chaos schedules of a day each`
const UNKNOWN = 'to be examined'

const options = {
  auth: { type: 'string' },
  settings: { type: 'string', default: USUAL },
  environment: { type: 'string' },
  'smtp-port': { type: 'string', default: '2500' },
  write: { type: 'boolean', default: false },
} as const

/** What one part of the run found. */
interface Outcome {
  readonly what: string
  readonly passed: number
  /** Each with its reason, or undefined. */
  readonly failed: readonly { readonly name: string; readonly reason: string | undefined }[]
}

/** Sets the exit code. */
export async function runOnOriginal(args: readonly string[]): Promise<void> {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    if (values.environment !== undefined) return printEnvironment(settingsOf(values.environment))
    if (values.auth === undefined) throw new Error('The URL of an original is missing: pass --auth.')
    const parts = partsOf(settingsOf(values.settings), positionals)
    const outcomes = await runParts(parts, values.auth.replace(/\/$/, ''), values['smtp-port'])
    if (values.write) await writeOutcomes(outcomes)
    const isOpen = outcomes.some(({ failed }) => failed.some(({ reason }) => reason === undefined))
    process.exitCode = isOpen ? 1 : 0
  } catch (error) {
    if (!(error instanceof Error)) throw error
    console.error(`${error.message}\n\n${USAGE}`)
    process.exitCode = 2
  }
}

function settingsOf(name: string): Settings {
  const settings = Object.hasOwn(SETTINGS, name) ? SETTINGS[name] : undefined
  if (settings) return settings
  throw new Error(`Unknown settings: ${name}. Pass ${Object.keys(SETTINGS).join(', ')}.`)
}

/** Each value is quoted for a shell. */
function printEnvironment({ environment }: Settings): void {
  for (const [name, value] of Object.entries(environment))
    console.log(`${name}='${value.replaceAll("'", `'\\''`)}'`)
}

const allParts = ({ files, hasRows }: Settings) => [...(hasRows ? [ROWS, CHAOS] : []), ...files]

function partsOf(settings: Settings, wanted: readonly string[]): readonly string[] {
  const all = allParts(settings)
  const unknown = wanted.filter(part => !all.includes(part))
  if (unknown.length > 0) throw new Error(`Not a part of these settings: ${unknown.join(', ')}.`)
  return wanted.length > 0 ? wanted : all
}

/** One at a time, each with an original without users. */
async function runParts(parts: readonly string[], auth: string, smtpPort: string): Promise<Outcome[]> {
  const environment = { CHARTROOM_AUTH_URL: auth, CHARTROOM_AUTH_SMTP_PORT: smtpPort }
  Object.assign(process.env, environment)
  const original = connectOriginal(auth, undefined)
  const outcomes: Outcome[] = []
  for (const part of parts) {
    await removeUsers(original)
    const outcome = await runPart(part, original, environment)
    console.log(describe(outcome))
    outcomes.push(outcome)
  }
  await removeUsers(original)
  return outcomes
}

function runPart(
  part: string,
  original: Server,
  environment: Readonly<Record<string, string>>,
): Promise<Outcome> {
  if (part === ROWS) return runRows()
  return part === CHAOS ? runSchedules(original) : runFile(part, environment)
}

async function runRows(): Promise<Outcome> {
  const results = await compareRows(({ name, difference }) => console.log(`${name}: ${difference ?? 'same'}`))
  const failed = results.flatMap(({ name, difference }) =>
    difference === undefined ? [] : [{ name: `${name}: ${difference}`, reason: undefined }],
  )
  return { what: ROWS_LABEL, passed: results.length - failed.length, failed }
}

async function runSchedules(original: Server): Promise<Outcome> {
  const seeds = Array.from({ length: SCHEDULES }, (_, index) => index + 1)
  const results = await compareChaos(seeds, original)
  const requests = results.reduce((sum, { requests: count }) => sum + count, 0)
  const failed = results.flatMap(({ differences }) => differences.map(name => ({ name, reason: undefined })))
  return { what: CHAOS_LABEL, passed: requests - failed.length, failed }
}

async function runFile(file: string, environment: Readonly<Record<string, string>>): Promise<Outcome> {
  await runTests([file], { settings: environment })
  const results = await readTestResults()
  const titles = (status: 'passed' | 'failed') => results.flatMap(result => titlesOf(result, status))
  const failed = titles('failed').map(name => ({
    name,
    reason: KNOWN.find(known => known.file === file && known.test.test(name))?.reason,
  }))
  const passed = titles('passed').length
  // A file that can't be loaded has no tests.
  const isBroken = passed + failed.length === 0
  const whole = { name: 'the whole file', reason: undefined }
  return { what: labelOf(file), passed, failed: isBroken ? [whole] : failed }
}

/** The file, and its settings if they are not the usual ones. */
function labelOf(file: string): string {
  const [name = USUAL] = Object.entries(SETTINGS).find(([, { files }]) => files.includes(file)) ?? []
  return name === USUAL ? `\`${file}\`` : `\`${file}\` (${name})`
}

function describe({ what, passed, failed }: Outcome): string {
  const lines = failed.map(({ name, reason = UNKNOWN }) => `  failed: ${name} (${reason})`)
  return [`${what}: ${passed} passed, ${failed.length} failed`, ...lines].join('\n')
}

async function writeOutcomes(outcomes: readonly Outcome[]): Promise<void> {
  const rows = outcomes.map(({ what, passed, failed }): Cells => {
    const reasons = Map.groupBy(failed, ({ reason = UNKNOWN }) => reason)
    const texts = [...reasons].map(
      ([reason, tests]) => `${reason}: ${tests.map(({ name }) => name).join('; ')}`,
    )
    return [what, `${passed}`, `${failed.length}`, texts.join('. ')]
  })
  const files = Object.values(SETTINGS).flatMap(settings => settings.files.map(labelOf))
  await updateTable(TABLE, COLUMNS, rows, [ROWS_LABEL, CHAOS_LABEL, ...files])
}
