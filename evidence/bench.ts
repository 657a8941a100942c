// `npm run bench`: runs the benchmarks and prints each result next to its peer's.
import { parseArgs } from 'node:util'
import { type Benchmark, MINUTES, runBenchmark, type BenchResult } from './bench/contract.ts'
import { benchmarks } from './bench/index.ts'
import { tableOf } from './bench/profile.ts'
import { writeSideBySide } from './bench/side-by-side/index.ts'
import { line } from './bench/side-by-side/table.ts'
import { runScript } from '../scripts/run-script.ts'

const FEWEST = 5
const SIDE_BY_SIDE = 'side-by-side'
const USAGE = `Usage: npm run -s bench [-- NAME...] [--json] [--samples N] [--minutes N] [--profile]

  --json        Print one JSON object per line
  --samples N   Runs per benchmark; the median is reported (default ${FEWEST})
  --profile     Print where the processor time goes instead of a ratio
  --minutes N   Duration of console-soak-5k, which runs once (default ${MINUTES})

${SIDE_BY_SIDE} writes docs/side-by-side.md, which compares failures on both clients. It only runs when named,
like ${benchmarks.flatMap(({ name, onlyWhenNamed }) => (onlyWhenNamed ? [name] : [])).join(', ')}.
Benchmarks: ${benchmarks.map(({ name }) => name).join(', ')}`

await runScript(USAGE, read, main)

async function main(flags: Exclude<ReturnType<typeof read>, string>): Promise<number> {
  if (flags.sideBySide) for (const row of await writeSideBySide()) console.log(line(row))
  for (const benchmark of flags.wanted) {
    if (flags.profile) {
      const sides = await benchmark.profile?.()
      if (sides) console.log(`${benchmark.name}, per call\n\n${tableOf(sides)}\n`)
      continue
    }
    const result = await runBenchmark(benchmark, flags.samples, flags.minutes)
    console.log(flags.json ? JSON.stringify(result) : describe(result))
  }
  return 0
}

function read() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      samples: { type: 'string', default: String(FEWEST) },
      minutes: { type: 'string', default: String(MINUTES) },
      profile: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const names = positionals.filter(name => name !== SIDE_BY_SIDE)
  const unknown = names.filter(name => !benchmarks.some(one => one.name === name))
  if (unknown.length > 0) return `Unknown benchmark: ${unknown.join(', ')}.`
  if (!/^[1-9]\d{0,3}$/.test(values.samples))
    return `--samples must be a whole number above 0, not "${values.samples}".`
  if (!/^[1-9]\d{0,2}$/.test(values.minutes))
    return `--minutes must be a whole number from 1 to 999, not "${values.minutes}".`
  const plain = benchmarks.find(one => names.includes(one.name) && !one.profile)
  if (values.profile && plain) return `There is no profile of ${plain.name}.`
  const isWanted = ({ name, onlyWhenNamed }: Benchmark) =>
    positionals.length === 0 ? !onlyWhenNamed : names.includes(name)
  return {
    ...values,
    samples: Number(values.samples),
    minutes: Number(values.minutes),
    sideBySide: names.length < positionals.length,
    wanted: benchmarks.filter(isWanted),
  }
}

function describe({ name, value, unit, peer, peerValue, ratio, samples }: BenchResult): string {
  const ours = `${value} ${unit}`.padStart(12)
  return `${name.padEnd(22)}${ours}   ${ratio} × ${peer} (${peerValue} ${unit}), median of ${samples}`
}
