// `chartroom minimize`: finds the fewest inputs of a trace with which it still fails.
import { invariants } from '../public/devtools/assertions.ts'
import {
  breaks,
  type DrivenRun,
  encodeFile,
  type Failing,
  minimize,
  type MinimizeResult,
  type ReplayableTrace,
} from '../public/devtools/replay.ts'
import { jsonText, short, timeInWords } from '../trace/index.ts'
import { defineCommand, type ExitCode, nearestName, reasonOf, UsageError, wholeNumber } from './command.ts'
import { loadMachines, MACHINES_FLAG } from './machines-file.ts'
import { print, startProgress } from './print.ts'
import { needTrace } from './trace-files.ts'
import { checkNew, WRITE_FLAGS, writeNew } from './write-file.ts'
import { assertionsIn, loadAssertions } from './assertions-file.ts'
import { exportedNames, loadModule } from './module-file.ts'

export const minimizeCommand = defineCommand({
  usage: 'minimize FILE --fails WHAT [flags]',
  text: `Removes as much as possible from a trace while it still fails, by running the machines repeatedly, and
writes the rest as a new trace that replays exactly. WHAT is the name of an invariant, "invariants" for any
of them, a JSON file of assertions, or a module that exports assertions or a function "fails", which
receives { actor, trace } after every input and returns whether it has failed.
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
    const { fails, out, limit, force, json } = values
    if (fails === undefined)
      throw new UsageError(
        `--fails is missing. Give the failure to preserve: "invariants" for any invariant, the name of one (${invariants()
          .map(({ name }) => `"${name}"`)
          .join(
            ', ',
          )}), a JSON file of assertions, or a module that exports assertions or a function "fails".`,
      )
    const max =
      limit === undefined ? {} : { limit: wholeNumber('--limit', limit, 1, Number.MAX_SAFE_INTEGER) }
    const [failing, machines] = [await loadFailing(fails), await loadMachines(values.machines)]
    if (out !== undefined) await checkNew(out, force)
    const trace = await needTrace(file)
    const systems = machines.need(trace)
    const progress = startProgress(`Minimizing ${file}`, 'inputs left')
    const onProgress = ({ left }: { left: number }) => progress.at(left)
    const result = await interruptible(signal =>
      minimize(trace, systems, failing, { ...max, onProgress, signal }),
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
  const { trace, kept: keptCount, of, tried: triedCount, isOneMinimal } = result
  const all = stimuliOf(trace)
  const shownSteps = all.slice(0, MAX_SHOWN)
  const minimality = isOneMinimal ? 'none can be removed' : 'stopped early'
  return [
    `SMALLER  ${file}${out === undefined ? '' : ` → ${out}`}`,
    `  ${name} fails with ${keptCount.length} of ${of} inputs; ${minimality} (${triedCount} runs)`,
    ...shownSteps.map(
      ({ t, kind, to, event }) => `  ${timeInWords(t)}  ${kind} to ${to}: ${short(event, 100)}`,
    ),
    ...(all.length > shownSteps.length ? [`  and ${all.length - shownSteps.length} more`] : []),
  ].join('\n')
}

/** `--json` prints all of them. */
const MAX_SHOWN = 50

const stimuliOf = ({ stimuli, actors }: ReplayableTrace) =>
  stimuli.map(({ t, kind, to, event }) => ({
    t,
    kind,
    to: actors[to]?.path ?? `actor ${to}`,
    event: event ?? null,
  }))

/** Selects any invariant. */
const ANY = 'invariants'

/** The failure to preserve, and the first error that its script threw. */
interface LoadedFailing extends Failing {
  readonly threw?: () => string | undefined
}

/** @throws UsageError if the name matches nothing that can fail */
async function loadFailing(failureName: string): Promise<LoadedFailing> {
  const all = invariants()
  if (failureName === ANY) return breaks(...all)
  const invariant = all.find(({ name }) => name === failureName)
  if (invariant) return breaks(invariant)
  if (failureName.endsWith('.json')) return breaks(...(await loadAssertions(failureName, '--fails')))
  const names = [ANY, ...all.map(({ name }) => name)]
  if (!/[./\\]/.test(failureName)) {
    const close = nearestName(failureName, names)
    throw new UsageError(
      `--fails must be ${names.join(', ')} or a file, not "${failureName}".${close === undefined ? '' : ` Did you mean "${close}"?`}`,
    )
  }
  const module = await loadModule('--fails', failureName)
  const script = module['fails'] ?? module['default']
  if (typeof script === 'function') return scripted(failureName, script as (run: DrivenRun) => unknown)
  const assertions = Object.values(module).flatMap(assertionsIn)
  if (assertions.length > 0) return breaks(...assertions)
  throw new UsageError(
    `--fails ${failureName} exports neither a function called "fails" nor an assertion (it exports ${exportedNames(module)}).`,
  )
}

/** A script that throws counts as "does not fail": with less of the trace, much may be missing. */
function scripted(name: string, script: (run: DrivenRun) => unknown): LoadedFailing {
  let thrown: string | undefined
  const ask = (run: DrivenRun) => {
    try {
      return script(run)
    } catch (error) {
      thrown ??= reasonOf(error)
      return false
    }
  }
  return {
    name,
    threw: () => thrown,
    watch: run => () => {
      const result = ask(run)
      if (result instanceof Promise)
        throw new UsageError(`--fails ${name} must return its result synchronously, not as a promise.`)
      return Boolean(result)
    },
  }
}
