// `chartroom backend export` and `chartroom backend import`: a backend's data as one file.
import { exportData, importData } from '../../backend/transfer/index.ts'
import { defineCommand } from './command.ts'
import { reasonOf, UsageError } from './usage.ts'
import { print } from './print.ts'

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
