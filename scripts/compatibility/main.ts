// `npm run compatibility`: runs the official client's own suites against the embedded backend and counts the
// results.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runOnOriginal } from './client/main.ts'
import { compareWith } from './compare/main.ts'
import { checkFunctions } from './functions.ts'
import { SUITES, type Checkouts, type SuiteResult } from './suites.ts'
import type { TestOutcome } from './jest.ts'

const USAGE = `Usage: npm run compatibility -- --supabase-js DIR --realtime DIR [--bun PROGRAM] [SUITE...]

Edge Functions in an installed Deno: npm run compatibility -- functions
Side by side with an original: npm run compatibility -- compare --auth URL --profile NAME
The client on an original: npm run compatibility -- client --auth URL

Suites: ${Object.keys(SUITES).join(', ')} (default: all). docs/compatibility.md explains the checkouts.`

const options = {
  'supabase-js': { type: 'string' },
  realtime: { type: 'string' },
  bun: { type: 'string' },
} as const

const [command, ...rest] = process.argv.slice(2)
const given = command === 'compare' || command === 'client' ? undefined : read()
if (command === 'compare') await compareWith(rest)
else if (command === 'client') await runOnOriginal(rest)
else if (given?.names[0] === 'functions') await checkFunctions()
else if (given) await run(given.checkouts, given.names)

function read(): { checkouts: Checkouts; names: readonly string[] } | undefined {
  try {
    const { values, positionals: names } = parseArgs({ allowPositionals: true, options })
    const { 'supabase-js': supabaseJs, realtime, bun = 'bun' } = values
    return { checkouts: { supabaseJs: checkout(supabaseJs), realtime: checkout(realtime), bun }, names }
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error))
    return undefined
  }
}

/** The suites run in other folders. @throws Error if there is no such folder */
function checkout(path: string | undefined): string {
  if (path === undefined) return ''
  const folder = resolve(path)
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}.`)
  return folder
}

async function run(checkouts: Checkouts, names: readonly string[]): Promise<void> {
  const unknown = names.filter(name => !Object.hasOwn(SUITES, name))
  if (unknown.length > 0) return fail(`Unknown suite: ${unknown.join(', ')}.`)
  const wanted = Object.entries(SUITES).filter(([name]) => names.length === 0 || names.includes(name))
  if (wanted.some(([name]) => (name === 'realtime' ? checkouts.realtime : checkouts.supabaseJs) === ''))
    return fail('The suite checkouts are missing: pass --supabase-js and --realtime.')
  for (const [, suite] of wanted) console.log(describe(await suite(checkouts)))
}

function fail(message: string): void {
  console.error(`${message}\n\n${USAGE}`)
  process.exitCode = 2
}

function describe({ name, counted, excluded, serverless }: SuiteResult): string {
  const share = ((100 * passed(counted)) / Math.max(counted.length, 1)).toFixed(1)
  return [
    `${name}: ${passed(counted)} of ${counted.length} passed (${share} %)`,
    ...counted.filter(test => !test.passed).map(line),
    ...(excluded.length > 0
      ? [`  unsupported by design: ${passed(excluded)} of ${excluded.length} passed`]
      : []),
    ...(serverless.length > 0
      ? [`  without a server: ${passed(serverless)} of ${serverless.length} passed`]
      : []),
    ...serverless.filter(test => !test.passed).map(line),
    '',
  ].join('\n')
}

function passed(tests: readonly TestOutcome[]): number {
  return tests.filter(test => test.passed).length
}

function line({ name, reason }: TestOutcome): string {
  return `  failed: ${name}\n          ${reason ?? 'no reason given'}`
}
