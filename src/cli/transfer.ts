// `chartroom export` and `chartroom import`: a backend's data as one file.
import { parseArgs } from 'node:util'
import { exportData, importData } from '../../backend/transfer/index.ts'
import { complain, reading, UsageError } from './usage.ts'

const EXPORT = `Usage: chartroom export FILE --data DIR [--with-secrets] [--force]

Writes the database and the files of a data directory into one file. No backend may be running on it.

  --data DIR       The data directory
  --with-secrets   Keys and passwords go along; without them, importing makes new ones and everyone signs in again
  --force          Replace FILE if it exists`

const IMPORT = `Usage: chartroom import FILE --data DIR [--force]

Puts an exported file into a data directory. No backend may be running on it.

  --data DIR   The data directory; made if it isn't there
  --force      Replace what it holds`

const explain = (verb: string) => (error: unknown) =>
  `The data could not be ${verb}. ${error instanceof Error ? error.message : String(error)}`

/** Runs `chartroom export`; resolves to the exit code. */
export async function exportCommand(args: string[]): Promise<number> {
  try {
    const { values, positionals } = reading(() => parse(args, { 'with-secrets': { type: 'boolean' } }))
    if (values.help) return tell(EXPORT)
    const [file, dir] = [oneFile(positionals), directory(values.data)]
    const { force = false, 'with-secrets': withSecrets = false } = values
    await exportData(dir, file, { withSecrets, force })
    return tell(`${file} holds the data of ${dir}${withSecrets ? ', and its keys: keep it safe' : ''}.`)
  } catch (error) {
    return complain(error, EXPORT, explain('exported'))
  }
}

/** Runs `chartroom import`; resolves to the exit code. */
export async function importCommand(args: string[]): Promise<number> {
  try {
    const { values, positionals } = reading(() => parse(args, {}))
    if (values.help) return tell(IMPORT)
    const [file, dir] = [oneFile(positionals), directory(values.data)]
    await importData(file, dir, { force: values.force ?? false })
    return tell(`${dir} holds the data of ${file}.`)
  } catch (error) {
    return complain(error, IMPORT, explain('imported'))
  }
}

function parse<const Extra extends Record<string, { type: 'boolean' }>>(args: string[], extra: Extra) {
  return parseArgs({
    args,
    strict: true,
    allowPositionals: true,
    options: {
      data: { type: 'string' as const },
      force: { type: 'boolean' as const },
      help: { type: 'boolean' as const, short: 'h' },
      ...extra,
    },
  })
}

function tell(text: string): 0 {
  process.stdout.write(`${text}\n`)
  return 0
}

function oneFile(files: readonly string[]): string {
  const [file, ...more] = files
  if (file === undefined) throw new UsageError('No file was given.')
  if (more.length > 0) throw new UsageError('More than one file was given.')
  return file
}

function directory(data: string | undefined): string {
  if (data === undefined || data.trim() === '')
    throw new UsageError('--data is missing. Name the data directory.')
  return data
}
