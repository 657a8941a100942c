// `npm run soak`: runs the embedded backend under load and failures for many minutes; no acknowledged write
// may be lost.
import { parseArgs } from 'node:util'
import { runScript } from './run-script.ts'
import { hasPassed, resultAsJson, resultAsTable } from './soak/report.ts'
import { soak } from './soak/run.ts'

const USAGE = `Usage: npm run soak -- [--minutes N] [--seed N] [--json]

Runs the embedded backend on a new data folder under load: REST, sockets, uploads, sign-ins. In between,
it is killed and restarted, its disk fills up, a request recurses endlessly, and requests fail on command.
Every acknowledged write is journaled and must exist at the end; memory must not grow.

  --minutes N   Duration in minutes (default 30); fractions are allowed
  --seed N      Seed for the order and times of the failures (default 1)
  --json        Print the result as JSON

Exit code: 0 passed; 1 lost writes, unexpected errors, or growing memory; 2 wrong usage.`

interface Flags {
  readonly seconds: number
  readonly seed: number
  readonly json: boolean
  readonly help: boolean
}

await runScript(USAGE, read, main)

function read(): Flags | string {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '30' },
      seed: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const [minutes, seed] = [Number(values.minutes), Number(values.seed)]
  if (!(minutes > 0 && minutes <= 10_000)) return `--minutes must be above 0, not "${values.minutes}".`
  if (!Number.isSafeInteger(seed) || seed < 0) return `--seed must be a whole number, not "${values.seed}".`
  return { seconds: minutes * 60, seed, json: values.json, help: values.help }
}

async function main({ seconds, seed, json }: Flags): Promise<number> {
  const result = await soak({ seconds, seed, ...(json ? {} : { onProgress: line => console.error(line) }) })
  console.log(json ? JSON.stringify(resultAsJson(result), null, 2) : resultAsTable(result))
  return hasPassed(result) ? 0 : 1
}
