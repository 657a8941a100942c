// Run as a separate process: replays a trace file of the random system and prints every step.
import { readFile } from 'node:fs/promises'
import { ReplayRun } from '../../src/services/replay/run/replay-run.ts'
import { verify } from '../../src/services/replay/verify/verify.ts'
import { readTrace } from '../../src/trace/read/read-file.ts'
import { randomSystem } from './random-system.ts'
import { stepsOf } from './steps.ts'

const read = await readTrace(await readFile(process.argv[2] ?? ''))
if (read.kind !== 'trace') throw new Error(read.message)
const systems = randomSystem()
const run = new ReplayRun(read.trace, systems.random)
run.start()
for (const stimulus of read.trace.stimuli) run.step(stimulus)
process.stdout.write(
  JSON.stringify({ outcome: verify(read.trace, systems).outcome, steps: stepsOf(run.trace) }),
)
