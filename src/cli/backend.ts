// The `backend` command: runs the embedded backend until it is stopped, or moves its data.
import { resetDataDirectory } from '../../backend/transfer/reset.ts'
import { startBackend } from '../../backend/index.ts'
import { nextStopSignal } from '../../backend/stop-signal.ts'
import { FLAGS, readFlags, type BackendFlags } from './backend-flags.ts'
import { describe, describeAsJson, explainStart, warnOfHost } from './backend-report.ts'
import { defineCommand, type ExitCode, type Run } from './command.ts'
import { exportCommand, importCommand } from './transfer.ts'
import { confirmed } from './usage.ts'
import { print, printError } from './print.ts'

/** Runs `chartroom backend`; resolves to the exit code once the backend has stopped. */
export const backendCommand: Run = ([first, ...rest]) => {
  if (first === 'export') return exportCommand(rest)
  if (first === 'import') return importCommand(rest)
  return startCommand(first === undefined ? [] : [first, ...rest])
}

const startCommand = defineCommand({
  usage: 'backend [flags]\n       chartroom backend export|import FILE --data DIR',
  text: 'Runs the embedded backend until it is stopped, or moves its data: `chartroom backend export --help`.',
  flags: FLAGS,
  takes: [0, 0, 'name'],
  run: ({ values }) => run(readFlags(values)),
  fails: 1,
})

async function run(flags: BackendFlags): Promise<ExitCode> {
  const { options, reset, asJson, isVerbose } = flags
  if (reset) {
    const question = `This deletes the database and the files in ${reset.dir}.`
    if (reset.asks && !(await confirmed(question, '--yes'))) return 1
    resetDataDirectory(reset.dir)
  }
  // Installed before startup, so that an early Ctrl-C also stops it cleanly.
  const stopSignal = nextStopSignal()
  warnOfHost(options)
  const backend = await startBackend({ ...options, ...(isVerbose ? { onPhase: printPhase } : {}) }).catch(
    (error: unknown) => {
      throw new Error(explainStart(error, options), { cause: error })
    },
  )
  print(asJson ? `${describeAsJson(backend)}\n` : describe(backend))
  await stopSignal
  await backend.stop()
  return 0
}

/** Printed to stderr, because stdout is for the JSON line. */
function printPhase(name: string, milliseconds: number): void {
  printError(`${name.padEnd(10)} ${milliseconds.toFixed(0).padStart(6)} ms\n`)
}
