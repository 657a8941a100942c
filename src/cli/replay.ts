// `chartroom replay`: replays traces and compares every step with the recording.
import { encodeFile } from '../public/devtools/replay.ts'
import { defineCommand, UsageError, wholeNumber } from './command.ts'
import { FileReport, REPORT_FLAGS } from './file-report.ts'
import { MACHINES_FLAG } from './machines-file.ts'
import { replayExamination, type ReplaySettings } from './replay-finding.ts'
import { replayInWorkers } from './replay-workers.ts'
import { partOf, readShard, resultsText, WHOLE_SHARD } from './shards.ts'
import { examine } from './trace-files.ts'
import { checkNew, WRITE_FLAGS, writeNew } from './write-file.ts'

/** The worst outcome of all files determines the exit code. */
export const replayCommand = defineCommand({
  usage: 'replay FILE... [flags]',
  text: `Replays each trace against the machines of this build, or those of --machines, and compares every
step; checks the invariants on the recorded steps. "-" reads a trace from standard input.

Exit code: 0 all exact, 1 a trace diverged, failed an invariant or could not be verified because it
contains nothing to compare, 2 a file could not be used.`,
  flags: {
    'what-if': {
      type: 'boolean',
      about: 'For changed machines: continue after the first difference with the best fit',
    },
    out: {
      type: 'string',
      value: 'FILE',
      about: 'With --what-if: output file for a trace of the changed machines',
    },
    workers: {
      type: 'string',
      value: 'N',
      about: 'Replay N files at a time, each in a process; default: one after the other in this process',
    },
    shard: {
      type: 'string',
      value: 'I/N',
      about: 'Only the I-th of N parts of the files; every part needs the same list in the same order',
    },
    results: {
      type: 'string',
      value: 'FILE',
      about: 'Also write the results for `chartroom merge`, which combines those of all shards',
    },
    ...REPORT_FLAGS,
    ...MACHINES_FLAG,
    ...WRITE_FLAGS,
  },
  takes: [1, Infinity, 'file'],
  async run({ values, names }) {
    const { out, results } = values
    if (out !== undefined) await checkOut(out, values, names)
    const shard = values.shard === undefined ? WHOLE_SHARD : readShard(values.shard)
    const workers = workersOf(values, names)
    const settings = { machines: values.machines, isWhatIf: values['what-if'] }
    const report = new FileReport('replay', values)
    const files = partOf(names, shard)
    if (workers !== undefined)
      for await (const result of replayInWorkers(files, { ...settings, workers, wantsJson: values.json }))
        report.add(result)
    else await replayHere(files, settings, report, values)
    if (results !== undefined) await writeNew(results, resultsText(shard, names, report.results), true)
    return report.end()
  },
})

/** Replays one file after the other in this process. */
async function replayHere(
  files: readonly string[],
  settings: ReplaySettings,
  report: FileReport,
  { json, out, force }: { readonly json: boolean; readonly out: string | undefined; readonly force: boolean },
): Promise<void> {
  const examination = await replayExamination(settings, async run => {
    if (out !== undefined) await writeNew(out, await encodeFile(run), force)
  })
  for (const file of files) report.add(await examine(file, examination, json))
}

/** More processes than any machine has use for. */
const MOST_WORKERS = 256

/** @throws UsageError if the number is invalid or workers cannot do this work */
function workersOf(
  { workers, out }: { readonly workers: string | undefined; readonly out: string | undefined },
  names: readonly string[],
): number | undefined {
  if (workers === undefined) return undefined
  const count = wholeNumber('--workers', workers, 1, MOST_WORKERS)
  if (names.includes('-'))
    throw new UsageError('--workers needs files: a worker cannot read standard input ("-").')
  if (out !== undefined)
    throw new UsageError('--out takes a single trace, for which --workers has no effect.')
  return count
}

/** @throws Error with the fix, if the result of `--what-if` cannot be written to `out` */
async function checkOut(
  out: string,
  { 'what-if': isWhatIf, force }: { readonly 'what-if': boolean; readonly force: boolean },
  files: readonly string[],
): Promise<void> {
  if (!isWhatIf) throw new UsageError('--out requires --what-if.')
  if (files.length > 1)
    throw new UsageError(`--out takes a single trace, but ${files.length} files were given.`)
  await checkNew(out, force)
}
