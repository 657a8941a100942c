// `chartroom redact`: removes additional secrets from a trace and writes the result as a new file.
import { LOST } from '../trace/index.ts'
import { defineCommand, type ExitCode, UsageError } from './command.ts'
import { print, startProgress } from './print.ts'
import { SHORTEST } from './pseudonyms.ts'
import { redactTrace } from './redact-trace.ts'
import { needTrace } from './trace-files.ts'
import { checkNew, WRITE_FLAGS, writeNew } from './write-file.ts'

export const redactCommand = defineCommand({
  usage: 'redact FILE --out FILE [flags]',
  text: `Writes a copy of the trace with additional secrets redacted: those that the recorder's rules find, the
values of each --key, and the values of the environment variables named by --value-env (secrets do not
belong on a command line). Equal values stay equal, so the trace still replays. The result is searched for
each value; if any part of one remains, nothing is written.

Exit code: 0 written, 2 failed.`,
  flags: {
    out: { type: 'string', value: 'FILE', about: 'The new trace' },
    key: {
      type: 'string',
      value: 'NAME',
      isRepeatable: true,
      about: 'Redact the values of this key; repeatable',
    },
    'value-env': {
      type: 'string',
      value: 'NAME',
      isRepeatable: true,
      about: 'Redact the value of this environment variable; repeatable',
    },
    ...WRITE_FLAGS,
  },
  takes: [1, 1, 'file'],
  async run({ values: { out, key, 'value-env': names, force }, names: [file = ''] }): Promise<ExitCode> {
    if (out === undefined) throw new UsageError('--out is missing. Name the new trace.')
    const request = { keys: key, values: names.map(valueOf) }
    await checkNew(out, force)
    const trace = await needTrace(file)
    if (trace.steps.some(({ event }) => event.type === LOST) || trace.actors.some(({ src }) => src === LOST))
      throw new Error(`${file}: damaged lines can't be searched; nothing was written.`)
    const progress = startProgress(`Redacting ${file}`, 'lines')
    const redacted = await redactTrace(trace, request, progress.at)
    progress.end()
    const { bytes, hidden, onlyUnderKey } = redacted
    await writeNew(out, bytes, force)
    const short =
      onlyUnderKey === 0 ? '' : ` ${onlyUnderKey} too short or too common to search for outside their key;`
    print(`${out}: ${hidden} values redacted;${short} none of them remain in the file.\n`)
    return 0
  },
})

function valueOf(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new UsageError(`--value-env ${name}: this environment variable is not set.`)
  if (value.length >= SHORTEST) return value
  throw new UsageError(
    `--value-env ${name}: the value is shorter than ${SHORTEST} letters and would match inside words.`,
  )
}
