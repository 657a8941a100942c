// Verification: replays a trace and compares every step with the recording.
import type { AnyActorLogic } from 'xstate'
import {
  type ChartChange,
  chartDiff,
  type ReplayableTrace,
  type TraceHeader,
  encodeValue,
  isList,
  type Json,
  typeOf,
} from '../../../trace/index.ts'
import { checkedRun, type CheckedRun } from './checked-run.ts'
import { soundPart, type SoundPart, type Wrong } from './comparison.ts'
import { detourCandidates, type Detours, findDetours } from './detours.ts'
import { describeDivergence, type Divergence } from './divergence.ts'
import { ReplayRun } from '../run/replay-run.ts'
import type { SentEvent } from '../playback/replay-types.ts'
import { whyUncompared, whyUnstarted } from './unverified.ts'
import { type Readings, WorldWatch } from '../run/world-watch.ts'
import { unseenHints } from './unseen-reads.ts'
import { XSTATE_VERSION } from '../../recording/index.ts'
import type { ComposeSystem, SystemRegistry } from '../../runtime/index.ts'
import { compareMachines, findSystem, type MachineDifference } from './find-system.ts'
import { originOf } from '../run/restoring.ts'

interface ReportBase {
  readonly system: string
  /** Size of the trace. */
  readonly stimuli: number
  readonly steps: number
  /** Number of steps that were compared and found equal. */
  readonly compared: number
  /** For a recording without steps: number of keyframes that were compared and found equal. */
  readonly keyframes?: number
  readonly machines: readonly MachineDifference[]
  readonly damage: ReplayableTrace['damage']
  /** Set if the trace was recorded with another XState version. */
  readonly xstate?: { readonly was: string; readonly is: string }
  /** Equal steps that took another transition; absent if there are none. */
  readonly detours?: Detours
  /** Changes in the structure of machines, with or without effect; absent if there are none. */
  readonly changes?: readonly ChartChange[]
}

/** Report of `verify`: whether the replay was exact, and where it diverged if not. */
export type ReplayReport = ReportBase &
  /** Everything compared was equal, and something was compared. */
  (
    | { readonly outcome: 'exact' }
    /** Nothing was compared: the recording has neither steps nor a keyframe. */
    | { readonly outcome: 'unverified'; readonly reason: string }
    | {
        readonly outcome: 'diverged'
        readonly divergence: Divergence
        /** Possible causes other than a changed machine, as sentences. */
        readonly hints?: readonly string[]
      }
    | { readonly outcome: 'unusable'; readonly reason: string; readonly divergence?: Divergence }
  )

/** Options of `verify`. */
export interface VerifyOptions {
  /** Number of repeated stimuli and their total; called after each. */
  readonly onProgress?: (done: number, whole: number) => void
  /** Called for each event sent to another system. These events are not delivered. */
  readonly onSend?: (sent: SentEvent) => void
}

/**
 * Replays a trace and reports whether it matches the recording, record by record. Never throws because of the
 * trace's content.
 */
export function verify(
  trace: ReplayableTrace,
  systems: SystemRegistry,
  options: VerifyOptions = {},
): ReplayReport {
  const { system, xstateVersion } = trace.header
  const base: ReportBase = {
    system,
    stimuli: trace.stimuli.length,
    steps: trace.steps.length,
    compared: 0,
    machines: [],
    damage: trace.damage,
    ...(xstateVersion !== XSTATE_VERSION && { xstate: { was: xstateVersion, is: XSTATE_VERSION } }),
  }
  const found = findSystem(trace, systems)
  if ('reason' in found) return { ...base, outcome: 'unusable', reason: found.reason }
  try {
    return replay(trace, found.system, base, options)
  } catch (error) {
    return { ...base, outcome: 'unusable', reason: `the replay failed: ${String(error)}` }
  }
}

function replay(
  trace: ReplayableTrace,
  compose: AnyActorLogic | ComposeSystem,
  base: ReportBase,
  { onProgress, onSend }: VerifyOptions,
): ReplayReport {
  const sound = soundPart(trace)
  const unstarted = sound.reason === undefined && whyUnstarted(trace)
  if (unstarted) return { ...base, outcome: 'unverified', reason: unstarted }
  const run = checkedRun(trace, compose, sound, { onSend })
  const machines = compareMachines(trace, run)
  let wrong = run.start()
  for (const stimulus of sound.stimuli) {
    if (wrong) break
    wrong = withStimulus(run.step(stimulus), stimulus.seq)
    onProgress?.(stimulus.seq + 1, base.stimuli)
  }
  wrong ??= run.check.rest()
  const { compared, keyframes } = run.check
  const detours = detoursOf(trace, run, machines)
  const report = {
    ...base,
    machines,
    compared,
    ...(keyframes !== undefined && { keyframes }),
    ...(detours && { detours }),
    ...changesOf(machines, trace.header, run.header),
  }
  const divergence = wrong && describeDivergence(trace, run, wrong)
  if (sound.reason !== undefined) {
    return { ...report, outcome: 'unusable', reason: sound.reason, ...(divergence && { divergence }) }
  }
  if (!divergence) {
    const uncompared = whyUncompared(run.check)
    return uncompared === undefined
      ? { ...report, outcome: 'exact' }
      : { ...report, outcome: 'unverified', reason: uncompared }
  }
  const upTo = divergence.between?.[1] ?? trace.steps[divergence.index]?.cause ?? trace.stimuli.length
  const hints = [
    ...unseenHints(divergence, machines.length > 0, () => secondReplay(trace, compose, sound, upTo)),
    ...findDivergenceHints(trace, upTo, readingsOf(trace, compose, upTo)),
  ]
  return { ...report, outcome: 'diverged', divergence, ...(hints.length > 0 && { hints }) }
}

function detoursOf(
  trace: ReplayableTrace,
  run: CheckedRun,
  machines: readonly MachineDifference[],
): Detours | undefined {
  const candidates = detourCandidates(trace, run.check.compared, run.otherNames, machines)
  return candidates.length > 0 ? findDetours(trace, run.trace, candidates) : undefined
}

/** Replays up to this stimulus again and returns the first divergence. */
function secondReplay(
  trace: ReplayableTrace,
  compose: AnyActorLogic | ComposeSystem,
  sound: SoundPart,
  upTo: number,
): Divergence | undefined {
  try {
    const run = checkedRun(trace, compose, sound, {})
    let wrong = run.start()
    for (const stimulus of sound.stimuli) {
      if (wrong || stimulus.seq > upTo) break
      wrong = withStimulus(run.step(stimulus), stimulus.seq)
    }
    wrong ??= run.check.rest()
    return wrong && describeDivergence(trace, run, wrong)
  } catch {
    return undefined
  }
}

/** Replays up to this stimulus again and collects what code reads outside the tape. */
function readingsOf(trace: ReplayableTrace, compose: AnyActorLogic | ComposeSystem, upTo: number): Readings {
  const watch = new WorldWatch()
  try {
    const run = new ReplayRun(trace, compose, watch)
    run.start()
    for (const stimulus of trace.stimuli) if (stimulus.seq <= upTo) run.step(stimulus)
  } catch {
    // Readings before the error are still reported.
  }
  return watch.readings
}

function changesOf(
  machines: readonly MachineDifference[],
  { machines: was }: TraceHeader,
  { machines: is }: TraceHeader,
): Pick<ReportBase, 'changes'> {
  const changes = machines.flatMap(({ id }) => chartDiff(was[id], is[id]))
  return changes.length > 0 ? { changes } : {}
}

/** Adds the stimulus to a problem. */
function withStimulus(wrong: Wrong | undefined, stimulus: number): Wrong | undefined {
  return wrong?.problem === undefined ? wrong : { ...wrong, stimulus }
}

/** Maximum number of reported events, and of values per event. The rest is nearly always of the same kind. */
const MOST = 3

/** Possible causes as sentences, likeliest first. */
function findDivergenceHints(trace: ReplayableTrace, upTo: number, readings: Readings): string[] {
  const events = trace.stimuli.filter(({ seq }) => seq <= upTo)
  const carrier = events.find(({ event }) => holdsCode(encodeValue(event)))
  const { input } = trace.header
  // Nearest first.
  const unwritten = events
    .toReversed()
    .map(({ seq, event, threw }) => unwrittenOf(`#${seq} ${typeOf(event) ?? ''}`.trim(), threw ?? event))
    .filter(found => found.length > 0)
  const origin = originOf(trace)
  return [
    ...(origin ? unwrittenOf('the keyframe', origin.snapshot) : unwrittenOf('the input', input)),
    ...unwritten.slice(0, MOST).flat(),
    ...[...readings].map(
      ([name, step]) => `${name} was read when ${step}: the recording was made with \`platform: false\``,
    ),
    ...(holdsCode(encodeValue(input)) ? ['the input contains a function, which no trace can store'] : []),
    ...(carrier
      ? [`#${carrier.seq} ${typeOf(carrier.event) ?? ''} contains a function, which no trace can store`]
      : []),
  ]
}

function holdsCode(json: Json): boolean {
  if (typeof json !== 'object' || json === null) return false
  if (!Array.isArray(json) && Reflect.get(json, '$') === 'function') return true
  return Object.values(json).some(holdsCode)
}

/** Names values that could not be written, by JSON Pointer. */
function unwrittenOf(where: string, value: unknown): string[] {
  const found = [...unwrittenIn(encodeValue(value), '')]
  const more = found.length > MOST ? [`${where} lacks ${found.length - MOST} more values`] : []
  const hints = found.slice(0, MOST).map(({ path, reason }) => {
    const place = path === '' ? where : `${where} at ${path}`
    return `${place} could not be stored, so a replay lacks it: ${reason}`
  })
  return [...hints, ...more]
}

function* unwrittenIn(
  json: Json,
  path: string,
): Generator<{ readonly path: string; readonly reason: string }, void> {
  if (typeof json !== 'object' || json === null) return
  const fields: Readonly<Record<string, Json>> = isList(json) ? Object.fromEntries(json.entries()) : json
  const { $: tag, reason } = fields
  if (tag === 'unwritable' && typeof reason === 'string') {
    yield { path, reason }
    return
  }
  for (const [key, item] of Object.entries(fields)) {
    const name = key.replaceAll('~', '~0').replaceAll('/', '~1')
    // The wrapper of a tagged value is not part of the path.
    yield* unwrittenIn(item, tag !== undefined && key === 'value' ? path : `${path}/${name}`)
  }
}
