// `npm run load`: puts the embedded backend under load and prints throughput, times and memory.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { LoadedBackend } from './load/backend.ts'
import { SCENARIOS, type Scenario, type ScenarioResult } from './load/scenarios.ts'
import { runScript } from './run-script.ts'

const USAGE = `Usage: npm run -s load [-- NAME...] [--engine NAME] [--json]

Starts \`chartroom backend\` on a new data folder for each scenario, and puts it under load. Client and backend
share this machine. Memory is that of the backend with the processes that it started.

${Object.entries(SCENARIOS)
  .map(([name, { about }]) => `  ${name.padEnd(14)}${about}`)
  .join('\n')}

  --engine NAME   Passed to \`chartroom backend --engine\`
  --json          Print one JSON object per scenario

Exit code: 0 no errors and nothing lost; 1 otherwise; 2 wrong usage.`

await runScript(USAGE, read, main)

function read() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      engine: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const unknown = positionals.filter(name => !(name in SCENARIOS))
  if (unknown.length > 0) return `Unknown scenario: ${unknown.join(', ')}.`
  const isWanted = ([name]: [string, Scenario]) => positionals.length === 0 || positionals.includes(name)
  return { ...values, wanted: Object.entries(SCENARIOS).filter(isWanted) }
}

async function main({ engine, json, wanted }: Exclude<ReturnType<typeof read>, string>): Promise<number> {
  const flags = engine === undefined ? [] : ['--engine', engine]
  let hasProblems = false
  for (const [name, scenario] of wanted) {
    const result = await runAlone(scenario, flags)
    hasProblems ||= result.problems.length > 0
    console.log(json ? JSON.stringify(asJson(name, result)) : describe(scenario, result))
  }
  return hasProblems ? 1 : 0
}

/** Runs a scenario on a new backend. */
async function runAlone({ flags, run }: Scenario, more: readonly string[]): Promise<ScenarioResult> {
  const dir = mkdtempSync(join(tmpdir(), 'chartroom-load-'))
  const backend = new LoadedBackend(dir, [...flags, ...more])
  try {
    // The first start creates the database, which takes much memory for a moment.
    await backend.start()
    await backend.stop()
    await backend.start()
    return await run(backend)
  } finally {
    await backend.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

function asJson(name: string, { tallies, ...rest }: ScenarioResult) {
  return { scenario: name, operations: tallies.map(tally => tally.result()), ...rest }
}

function describe(
  { about }: Scenario,
  { tallies, seconds, memory, notes, problems }: ScenarioResult,
): string {
  const rows = tallies.map(tally => {
    const { name, done, errors, p50, p99 } = tally.result()
    return `  ${name.padEnd(22)}${cell(done)}${cell(errors)}${cell(p50)}${cell(p99)}`
  })
  const use = memory && [memory.before, memory.peak, memory.after].map(Math.round)
  return [
    `${about} (${seconds.toFixed(1)} s)`,
    `  ${''.padEnd(22)}${cell('done')}${cell('errors')}${cell('p50 ms')}${cell('p99 ms')}`,
    ...rows,
    ...notes.map(note => `  ${note}`),
    ...(use ? [`  memory ${use[0]} MB before, ${use[1]} MB at most, ${use[2]} MB after`] : []),
    ...problems.slice(0, 20).map(problem => `  PROBLEM ${problem}`),
    '',
  ].join('\n')
}

function cell(value: string | number): string {
  return String(value).padStart(9)
}
