// The `backend` command: runs the embedded backend until it is stopped, or moves its data.
import { resetDataDirectory, exportData, importData } from '../../backend/transfer/index.ts'
import { startBackend } from '../../backend/index.ts'
import { nextStopSignal } from '../../backend/shared/stop-signal.ts'
import { FLAGS, readFlags, type BackendFlags } from './backend-flags.ts'
import { describe, describeAsJson, explainStart, warnOfHost } from './backend-report.ts'
import { defineCommand, type ExitCode, type Run } from './command.ts'
import { confirmed, reasonOf, UsageError } from './usage.ts'
import { print, printError } from './print.ts'

// `chartroom backend export` and `chartroom backend import`: a backend's data as one file.
const explain = (verb: string) => (error: unknown) => `The data could not be ${verb}. ${reasonOf(error)}`

/** Runs `chartroom backend export`; resolves to the exit code. */
export const exportCommand = defineCommand({
  usage: 'backend export FILE --data DIR [flags]',
  text: 'Writes the database and files of a data directory to one file. No backend may be running on it.',
  flags: {
    data: { type: 'string', value: 'DIR', about: 'The data directory' },
    'with-secrets': {
      type: 'boolean',
      about:
        'Include keys and passwords; without them, the import creates new ones and all users must sign in again',
    },
    force: { type: 'boolean', about: 'Replace FILE if it exists' },
  },
  takes: [1, 1, 'file'],
  explain: explain('exported'),
  fails: 1,
  async run({ values: { data, force, 'with-secrets': withSecrets }, names: [file = ''] }) {
    const dir = directory(data)
    await exportData(dir, file, { withSecrets, force })
    return tell(`${file} holds the data of ${dir}${withSecrets ? ', and its keys: keep it safe' : ''}.`)
  },
})

/** Runs `chartroom backend import`; resolves to the exit code. */
export const importCommand = defineCommand({
  usage: 'backend import FILE --data DIR [flags]',
  text: 'Loads an exported file into a data directory. No backend may be running on it.',
  flags: {
    data: { type: 'string', value: 'DIR', about: 'The data directory; created if missing' },
    force: { type: 'boolean', about: 'Replace existing data' },
  },
  takes: [1, 1, 'file'],
  explain: explain('imported'),
  fails: 1,
  async run({ values: { data, force }, names: [file = ''] }) {
    const dir = directory(data)
    await importData(file, dir, { force })
    return tell(`${dir} holds the data of ${file}.`)
  },
})

function tell(text: string): 0 {
  print(`${text}\n`)
  return 0
}

function directory(data: string | undefined): string {
  if (data === undefined || data.trim() === '')
    throw new UsageError('--data is missing. Name the data directory.')
  return data
}

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
