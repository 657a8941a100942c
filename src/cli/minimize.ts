// `chartroom minimize`: finds the fewest stimuli of a trace with which it still fails.
import { encodeFile, minimize, type MinimizeResult, type ReplayableTrace } from '../public/replay.ts'
import { jsonText, short, timeInWords } from '../trace/index.ts'
import { defineCommand, type ExitCode } from './command.ts'
import { loadFailing } from './failing.ts'
import { loadSystems, MACHINES_FLAG, needSystem } from './machines-file.ts'
import { startProgress } from './progress.ts'
import { needTrace } from './trace-files.ts'
import { UsageError, wholeNumber } from './usage.ts'
import { checkNew, WRITE_FLAGS, writeNew } from './write-file.ts'
import { print } from './print.ts'

export const minimizeCommand = defineCommand({
  usage: 'minimize FILE --fails WHAT [flags]',
  text: `Removes as much as possible from a trace while it still fails, by running the machines repeatedly, and
writes the rest as a new trace that replays exactly. WHAT is the name of an invariant, "invariants" for any
of them, a JSON file of assertions, or a module that exports assertions or a function "fails", which
receives { actor, trace } after every stimulus and returns whether it has failed.
Ctrl-C stops the search and keeps the smallest trace found so far.

Exit code: 0 minimized, 1 the trace does not fail with these machines, 2 failed.`,
  flags: {
    fails: { type: 'string', value: 'WHAT', about: 'The failure to preserve' },
    out: { type: 'string', value: 'FILE', about: 'Output file for the minimized trace' },
    limit: { type: 'string', value: 'N', about: 'Maximum number of runs; default: unlimited' },
    ...MACHINES_FLAG,
    ...WRITE_FLAGS,
    json: { type: 'boolean', about: 'Print one JSON object' },
  },
  takes: [1, 1, 'file'],
  async run({ values, names: [file = ''] }): Promise<ExitCode> {
    const { fails, out, limit, machines, force, json } = values
    if (fails === undefined) throw new UsageError('--fails is missing. Name the failure to preserve.')
    const most =
      limit === undefined ? {} : { limit: wholeNumber('--limit', limit, 1, Number.MAX_SAFE_INTEGER) }
    const [failing, systems] = [await loadFailing(fails), await loadSystems(machines)]
    if (out !== undefined) await checkNew(out, force)
    const trace = await needTrace(file)
    needSystem(trace, systems, machines)
    const progress = startProgress(`Minimizing ${file}`, 'stimuli left')
    const onProgress = ({ left }: { left: number }) => progress.at(left)
    const result = await interruptible(signal =>
      minimize(trace, systems, failing, { ...most, onProgress, signal }),
    )
    progress.end()
    if (result.outcome === 'unusable') throw new Error(`${file}: ${result.reason}`)
    const thrown = result.outcome === 'fine' ? failing.threw?.() : undefined
    if (thrown !== undefined) throw new Error(`${file} does not fail, but --fails ${fails} threw: ${thrown}`)
    if (result.outcome === 'minimized' && out !== undefined)
      await writeNew(out, await encodeFile(result.trace), force)
    print(`${json ? asJson(file, result) : described(file, failing.name, result, out)}\n`)
    return result.outcome === 'minimized' ? 0 : 1
  },
})

/** The first Ctrl-C stops the search gracefully, the second immediately. */
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

type Useful = Exclude<MinimizeResult, { outcome: 'unusable' }>

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
  const least = isOneMinimal ? 'none can be removed' : 'stopped early'
  return [
    `SMALLER  ${file}${out === undefined ? '' : ` → ${out}`}`,
    `  ${name} fails with ${kept.length} of ${of} stimuli; ${least} (${tried} runs)`,
    ...shown.map(({ t, kind, to, event }) => `  ${timeInWords(t)}  ${kind} to ${to}: ${short(event, 100)}`),
    ...(all.length > shown.length ? [`  and ${all.length - shown.length} more`] : []),
  ].join('\n')
}

/** `--json` prints all of them. */
const SHOWN = 50

const stimuliOf = ({ stimuli, actors }: ReplayableTrace) =>
  stimuli.map(({ t, kind, to, event }) => ({
    t,
    kind,
    to: actors[to]?.path ?? `actor ${to}`,
    event: event ?? null,
  }))
