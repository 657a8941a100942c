// `npm run chaos`: runs many days of chaos from many seeds on every core and checks the invariants.
import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { examine, type Examined } from '../tests/harness/chaos-report.ts'
import { runScript } from './run-script.ts'

const USAGE = `Usage: npm run chaos -- [--count N] [--seed N] [--workers N]

Runs schedules of 24 virtual hours each: tabs that share storage, locks and channels, with a server and
a network that fail in every possible way. After each one the client must recover, and all invariants must pass.

  --count N     Number of schedules (default 200)
  --seed N      First seed; each schedule uses the next one (default 1)
  --workers N   Parallel workers (default: number of cores minus one)

Every tenth schedule is also replayed. Exit code: 0 all passed, 1 an invariant failed, 2 wrong usage.`

/** Replays the trace of every Nth schedule. */
const REPLAYED = 10

if (process.send) {
  process.on('disconnect', () => process.exit())
  process.on('message', (seed: number) => {
    void examine(seed, seed % REPLAYED === 0).then(examined => process.send?.(examined))
  })
} else await runScript(USAGE, read, main)

async function main(flags: Flags): Promise<number> {
  const started = performance.now()
  const { broken, slowest } = await runAll(flags)
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  const outcome = broken === 0 ? 'all invariants passed' : `${broken} failed`
  console.log(
    `${flags.count} schedules from seed ${flags.seed} in ${seconds} s: ${outcome}; recovery within ${slowest / 1000} s`,
  )
  return broken === 0 ? 0 : 1
}

interface Flags {
  readonly count: number
  readonly seed: number
  readonly workers: number
  readonly help: boolean
}

function read(): Flags | string {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '200' },
      seed: { type: 'string', default: '1' },
      workers: { type: 'string', default: String(Math.max(1, availableParallelism() - 1)) },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const wrong = (['count', 'seed', 'workers'] as const).find(name => !/^[1-9]\d{0,8}$/.test(values[name]))
  if (wrong !== undefined) return `--${wrong} must be a whole number above 0, not "${values[wrong]}".`
  const [count, seed, workers] = [values.count, values.seed, values.workers].map(Number) as [
    number,
    number,
    number,
  ]
  return { count, seed, workers: Math.min(workers, count), help: values.help }
}

/** Sends each worker the next seed when it finishes one. */
async function runAll({ count, seed, workers }: Flags): Promise<{ broken: number; slowest: number }> {
  let [next, done, broken, slowest] = [seed, 0, 0, 0]
  const work = () =>
    new Promise<void>((resolve, reject) => {
      const worker = fork(import.meta.filename)
      const give = () => (next < seed + count ? worker.send(next++) : worker.disconnect())
      worker.on('error', reject)
      worker.on('exit', code => (code === 0 ? resolve() : reject(new Error(`A worker exited with ${code}.`))))
      worker.on('message', ({ complaint, settledAfter }: Examined) => {
        done += 1
        slowest = Math.max(slowest, settledAfter)
        if (complaint !== undefined) {
          broken += 1
          console.error(complaint)
        }
        if (done % 500 === 0) console.log(`${done} of ${count}`)
        give()
      })
      give()
    })
  await Promise.all(Array.from({ length: workers }, work))
  return { broken, slowest }
}
