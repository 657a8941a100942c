// The `backend` command: runs the embedded backend until it is told to stop.
import { resetDataDirectory } from '../../backend/transfer/reset.ts'
import { startBackend, type BackendOptions } from '../../backend/index.ts'
import { nextStopSignal } from '../../backend/stop-signal.ts'
import { readFlags, USAGE, type BackendFlags } from './backend-flags.ts'
import { describe, describeAsJson, explainStart, warnOfHost } from './backend-report.ts'
import { complain, confirmed } from './usage.ts'

/** Runs `chartroom backend`; resolves to the exit code once the backend has stopped. */
export async function backendCommand(args: string[]): Promise<number> {
  let options: Partial<BackendOptions> = {}
  try {
    const flags = readFlags(args)
    options = flags.options
    if (!flags.wantsHelp) return await run(flags)
    process.stdout.write(`${USAGE}\n`)
    return 0
  } catch (error) {
    return complain(error, USAGE, problem => explainStart(problem, options))
  }
}

async function run({ options, reset, asJson, isVerbose }: BackendFlags): Promise<number> {
  if (reset) {
    const question = `This deletes the database and the files in ${reset.dir}.`
    if (reset.asks && !(await confirmed(question, '--yes'))) return 1
    resetDataDirectory(reset.dir)
  }
  // Listened for before the start, so that an early Ctrl-C also ends in a clean stop.
  const stopSignal = nextStopSignal()
  warnOfHost(options.host)
  const backend = await startBackend({ ...options, ...(isVerbose ? { onPhase: printPhase } : {}) })
  process.stdout.write(asJson ? `${describeAsJson(backend)}\n` : describe(backend))
  await stopSignal
  await backend.stop()
  return 0
}

/** On the error stream: the other one is for the JSON line. */
function printPhase(name: string, milliseconds: number): void {
  process.stderr.write(`${name.padEnd(10)} ${milliseconds.toFixed(0).padStart(6)} ms\n`)
}
