// `chartroom redact`: takes further secrets out of a trace, and writes what remains as a new one.
import { LOST } from '../trace/collect.ts'
import { defineCommand, type ExitCode } from './command.ts'
import { startProgress } from './progress.ts'
import { SHORTEST } from './pseudonyms.ts'
import { redactTrace } from './redact-trace.ts'
import { needTrace } from './trace-files.ts'
import { UsageError } from './usage.ts'
import { checkNew, WRITE_FLAGS, writeNew } from './write-file.ts'
import { print } from './print.ts'

/** Runs the command. */
export const redactCommand = defineCommand({
  usage: 'redact FILE --out FILE [flags]',
  text: `Writes the trace anew with further secrets taken out. What the recorder looks for is looked for again,
and beside it what stands under a key of --key, and the values that environment variables of --value-env
hold: a command line is no place for them. Equal values stay equal, so that the trace replays as before.
What was written is searched for each value; nothing is written when something of it is left.

Exit code: 0 written, 2 it could not be.`,
  flags: {
    out: { type: 'string', value: 'FILE', about: 'The new trace' },
    key: {
      type: 'string',
      value: 'NAME',
      many: true,
      about: 'What stands under this key; may be given often',
    },
    'value-env': {
      type: 'string',
      value: 'NAME',
      many: true,
      about: 'What this environment variable holds; may be given often',
    },
    ...WRITE_FLAGS,
  },
  takes: [1, 1, 'file'],
  async run({ values: { out, key, 'value-env': names, force }, names: [file = ''] }): Promise<ExitCode> {
    if (out === undefined) throw new UsageError('--out is missing. Name the new trace.')
    const wish = { keys: key, values: names.map(valueOf) }
    await checkNew(out, force)
    const trace = await needTrace(file)
    if (trace.views.some(({ event }) => event.type === LOST) || trace.actors.some(({ src }) => src === LOST))
      throw new Error(`${file}: lines of it are damaged, and can't be searched; nothing was written.`)
    const progress = startProgress(`Redacting ${file}`, 'lines')
    const redacted = await redactTrace(trace, wish, progress.at)
    progress.end()
    const { bytes, hidden, onlyUnderKey } = redacted
    await writeNew(out, bytes, force)
    const short =
      onlyUnderKey === 0 ? '' : ` ${onlyUnderKey} too short or too plain to be looked for beyond their key;`
    print(`${out}: values of yours that were hidden: ${hidden};${short} nothing of them is left.\n`)
    return 0
  },
})

function valueOf(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new UsageError(`--value-env ${name}: there is no such environment variable.`)
  if (value.length >= SHORTEST) return value
  throw new UsageError(
    `--value-env ${name}: what it holds is shorter than ${SHORTEST} letters and would be found inside of words.`,
  )
}
