// One measurement in a separate process: processor time per event in a mode, and memory per record.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { median } from '../contract.ts'
import { fleetWorkload } from './fleet.ts'
import { bare, inspected, recorded, replayed, viewed, type Workload } from './modes.ts'
import { shopWorkload } from './shop.ts'

const EVENTS = 10_000
const WARM_UP = 4
const ROUNDS = 7

const [name = '', work = ''] = process.argv.slice(2)
const mode = { bare, inspected, recorded, viewed, replayed }[name]
const workload: Workload | undefined = { machine: shopWorkload, system: fleetWorkload }[work] as
  Workload | undefined
if (!mode || !workload) throw new Error(`Unknown measurement: ${name} ${work}.`)

const before = memory()
const run = await mode(workload, EVENTS)
const times: number[] = []
for (let round = 0; round < WARM_UP + ROUNDS; round++) times.push(await timed(() => run.go(EVENTS)))
const held = memory() - before
console.log(JSON.stringify({ event: median(times.slice(WARM_UP)), record: held / run.records() }))

/** Microseconds of processor time per event, including the collector and the compilers. */
async function timed(go: () => Promise<void>): Promise<number> {
  const started = process.cpuUsage()
  await go()
  // Includes work deferred to later tasks.
  for (let task = 0; task < 3; task++) await new Promise(resolve => setTimeout(resolve, 0))
  const { user, system } = process.cpuUsage(started)
  return (user + system) / EVENTS
}

/** Bytes in use after a garbage collection. */
function memory(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
  return process.memoryUsage().heapUsed
}
