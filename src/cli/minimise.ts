// `chartroom minimise`: the fewest of a trace's stimuli with which it still fails.
import { encodeFile, minimise, type MinimiseResult } from '../replay.ts'
import type { ReplayableTrace } from '../replay.ts'
import { timeInWords } from '../trace/assert/values.ts'
import { jsonText } from '../trace/json-text.ts'
import { short } from '../trace/words.ts'
import { defineCommand, type ExitCode } from './command.ts'
import { loadFailing } from './failing.ts'
import { loadSystems, MACHINES_FLAG, needSystem } from './machines-file.ts'
import { startProgress } from './progress.ts'
import { needTrace } from './trace-files.ts'
import { UsageError, wholeNumber } from './usage.ts'
import { checkNew, WRITE_FLAGS, writeNew } from './write-file.ts'
import { print } from './print.ts'

/** Runs the command. */
export const minimiseCommand = defineCommand({
  usage: 'minimise FILE --fails WHAT [flags]',
  text: `Leaves out of a trace whatever can be left out while it still fails, by running the machines again and
again, and writes what remains as a trace of its own, which replays exactly. WHAT is an invariant by its
name, "invariants" for any of them, a JSON file of assertions, or a module that exports assertions or a
function "fails", which is given { actor, trace } after every stimulus and says whether it has failed.
Ctrl-C ends the search with what it has found by then.

Exit code: 0 made smaller, 1 the trace does not fail with these machines, 2 it could not be done.`,
  flags: {
    fails: { type: 'string', value: 'WHAT', about: 'What is to go on failing' },
    out: { type: 'string', value: 'FILE', about: 'The smallest trace that fails' },
    limit: { type: 'string', value: 'N', about: 'Most runs of the machines; without an end unless given' },
    ...MACHINES_FLAG,
    ...WRITE_FLAGS,
    json: { type: 'boolean', about: 'One JSON object' },
  },
  takes: [1, 1, 'file'],
  async run({ values, names: [file = ''] }): Promise<ExitCode> {
    const { fails, out, limit, machines, force, json } = values
    if (fails === undefined) throw new UsageError('--fails is missing. Name what is to go on failing.')
    const most =
      limit === undefined ? {} : { limit: wholeNumber('--limit', limit, 1, Number.MAX_SAFE_INTEGER) }
    const [failing, systems] = [await loadFailing(fails), await loadSystems(machines)]
    if (out !== undefined) await checkNew(out, force)
    const trace = await needTrace(file)
    needSystem(trace, systems, machines)
    const progress = startProgress(`Minimising ${file}`, 'stimuli left')
    const onProgress = ({ left }: { left: number }) => progress.at(left)
    const result = await interruptible(signal =>
      minimise(trace, systems, failing, { ...most, onProgress, signal }),
    )
    progress.end()
    if (result.outcome === 'unusable') throw new Error(`${file}: ${result.reason}`)
    const thrown = result.outcome === 'fine' ? failing.threw?.() : undefined
    if (thrown !== undefined) throw new Error(`${file} does not fail, but --fails ${fails} threw: ${thrown}`)
    if (result.outcome === 'minimised' && out !== undefined)
      await writeNew(out, await encodeFile(result.trace), force)
    print(`${json ? asJson(file, result) : described(file, failing.name, result, out)}\n`)
    return result.outcome === 'minimised' ? 0 : 1
  },
})

/** The first Ctrl-C ends the work in order, the second at once. */
async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const stop = () => controller.abort()
  process.once('SIGINT', stop)
  try {
    return await work(controller.signal)
  } finally {
    process.removeListener('SIGINT', stop)
  }
}

type Useful = Exclude<MinimiseResult, { outcome: 'unusable' }>

function asJson(file: string, result: Useful): string {
  if (result.outcome === 'fine') return JSON.stringify({ file, outcome: 'fine' })
  const { trace, ...rest } = result
  return jsonText({ file, ...rest, stimuli: stimuliOf(trace) })
}

function described(file: string, name: string, result: Useful, out: string | undefined): string {
  if (result.outcome === 'fine') return `FINE     ${file}\n  ${name} does not fail with these machines`
  const { trace, kept, of, tried, isOneMinimal } = result
  const all = stimuliOf(trace)
  const shown = all.slice(0, SHOWN)
  const least = isOneMinimal ? 'none of them can be left out' : 'ended before more was tried'
  return [
    `SMALLER  ${file}${out === undefined ? '' : ` → ${out}`}`,
    `  ${name} fails with ${kept.length} of ${of} stimuli; ${least} (${tried} runs)`,
    ...shown.map(({ t, kind, to, event }) => `  ${timeInWords(t)}  ${kind} to ${to}: ${short(event, 100)}`),
    ...(all.length > shown.length ? [`  and ${all.length - shown.length} more`] : []),
  ].join('\n')
}

/** `--json` has all of them. */
const SHOWN = 50

const stimuliOf = ({ stimuli, actors }: ReplayableTrace) =>
  stimuli.map(({ t, kind, to, event }) => ({
    t,
    kind,
    to: actors[to]?.path ?? `actor ${to}`,
    event: event ?? null,
  }))
