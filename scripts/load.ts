// `npm run load`: puts the embedded backend under load, then a server without Chartroom, and prints throughput,
// times and memory of both.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { asJson, describe, PAGE, writeRows, type Comparison } from './load/report.ts'
import { SCENARIOS, type Scenario, type ScenarioResult } from './load/scenarios.ts'
import { backendCommand, ENGINES, LoadedServer, peerCommand } from './load/server.ts'
import { runScript } from './run-script.ts'

const USAGE = `Usage: npm run -s load [-- NAME...] [--engine NAME] [--json] [--write]

Starts \`chartroom backend\` on a new data folder for each scenario, and puts it under load; then a server that
answers the same requests without Chartroom, for comparison (${PAGE}). Clients and server share this
machine. Memory is that of the server with the processes that it started.

${Object.entries(SCENARIOS)
  .map(([name, { about }]) => `  ${name.padEnd(14)}${about}`)
  .join('\n')}

  --engine NAME   ${ENGINES.join(' or ')}, for both; default: ${ENGINES[0]}
  --json          Print one JSON object per scenario
  --write         Replace the rows of these scenarios on this engine in ${PAGE}

Exit code: 0 no errors and nothing lost; 1 otherwise; 2 wrong usage.`

await runScript(USAGE, read, main)

function read() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      engine: { type: 'string', default: ENGINES[0] },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const unknown = positionals.filter(name => !Object.hasOwn(SCENARIOS, name))
  if (unknown.length > 0) return `Unknown scenario: ${unknown.join(', ')}.`
  const engine = ENGINES.find(name => name === values.engine)
  if (!engine) return `Unknown engine: ${values.engine}.`
  const isWanted = ([name]: [string, Scenario]) => positionals.length === 0 || positionals.includes(name)
  return { ...values, engine, wanted: Object.entries(SCENARIOS).filter(isWanted) }
}

async function main({ engine, json, write, wanted }: Exclude<ReturnType<typeof read>, string>) {
  const comparisons: Comparison[] = []
  for (const [name, { flags, runOnBackend, runOnPeer }] of wanted) {
    const backend = await runAlone(dir => backendCommand(dir, engine, flags), runOnBackend)
    const peer = await runAlone(dir => peerCommand(dir, engine), runOnPeer)
    const comparison = { name, engine, backend, peer }
    console.log(json ? JSON.stringify(asJson(comparison)) : describe(comparison))
    comparisons.push(comparison)
  }
  const flawless = comparisons.filter(
    ({ backend, peer }) => backend.problems.length + peer.problems.length === 0,
  )
  if (write) await writeRows(flawless)
  return flawless.length === comparisons.length ? 0 : 1
}

/** Runs a scenario on a new server, which is started with these arguments of Node. */
async function runAlone(
  commandFor: (dir: string) => readonly string[],
  run: Scenario['runOnBackend'],
): Promise<ScenarioResult> {
  const dir = mkdtempSync(join(tmpdir(), 'chartroom-load-'))
  const server = new LoadedServer(commandFor(dir))
  try {
    // The first start creates the database, which takes much memory for a moment.
    await server.start()
    await server.stop()
    await server.start()
    return await run(server)
  } finally {
    await server.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}
