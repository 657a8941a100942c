// Verification: replays a trace and compares every step with the recording.
import type { AnyActorLogic } from 'xstate'
import {
  type ChartChange,
  chartDiff,
  type NamedTransition,
  namesTransitions,
  type ReplayableTrace,
  takenTransitions,
  type TraceHeader,
} from '../../../trace/index.ts'
import { XSTATE_VERSION } from '../../recording/index.ts'
import { type Codec, type ComposeSystem, type SystemRegistry, withCodec } from '../../runtime/index.ts'
import { compareMachines, findSystem, type MachineDifference, type SentEvent } from '../run/replay-run.ts'
import { checkedRun, type CheckedRun, findWrong, type StepCheck } from './checked-run.ts'
import { soundPart, whyUnstarted } from './comparison.ts'
import { type Divergence, divergenceOf } from './divergence.ts'
import { sameStep } from './divergence-cause.ts'
import { findHints } from './divergence-hints.ts'

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
  /**
   * The app's classes, or the exports of the modules that contain them, so that their instances in the trace are
   * instances again.
   */
  readonly codec?: Codec
  /** For a recording without steps that does not diverge: receives it with its steps, as `deriveSteps` does. */
  readonly onDerived?: (trace: ReplayableTrace) => void
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
    return replay(trace, withCodec(found.system, options.codec), base, options)
  } catch (error) {
    return { ...base, outcome: 'unusable', reason: `the replay failed: ${String(error)}` }
  }
}

function replay(
  trace: ReplayableTrace,
  compose: AnyActorLogic | ComposeSystem,
  base: ReportBase,
  { onProgress, onSend, onDerived }: VerifyOptions,
): ReplayReport {
  const sound = soundPart(trace)
  const unstarted = sound.reason === undefined && whyUnstarted(trace)
  if (unstarted) return { ...base, outcome: 'unverified', reason: unstarted }
  const run = checkedRun(trace, compose, sound, { onSend, keepsSteps: onDerived !== undefined })
  const machines = compareMachines(trace, run)
  const wrong = findWrong(run, sound.stimuli, ({ seq }) => onProgress?.(seq + 1, base.stimuli))
  const derived = wrong || !onDerived ? undefined : run.derived
  if (derived) onDerived?.(derived)
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
  const divergence = wrong && divergenceOf(trace, run, wrong)
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
  const hints = findHints(trace, divergence, {
    upTo,
    isChanged: machines.length > 0,
    compose,
    sound,
  })
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

function changesOf(
  machines: readonly MachineDifference[],
  { machines: was }: TraceHeader,
  { machines: is }: TraceHeader,
): Pick<ReportBase, 'changes'> {
  const changes = machines.flatMap(({ id }) => chartDiff(was[id], is[id]))
  return changes.length > 0 ? { changes } : {}
}

/** One detour. */
interface Detour {
  /** Index of the step. */
  readonly index: number
  readonly actor: string
  readonly event: string
  readonly was: readonly NamedTransition[]
  readonly is: readonly NamedTransition[]
}

/** The first detours and the number of further ones. */
export interface Detours {
  readonly items: readonly Detour[]
  readonly more: number
}

const MOST = 20

/** Finds detours among these steps, which match the recording. */
function findDetours(
  then: ReplayableTrace,
  now: ReplayableTrace,
  indexes: readonly number[],
): Detours | undefined {
  const items: Detour[] = []
  let more = 0
  const [before, after] = [then.steps, now.steps]
  for (const index of indexes) {
    const [old, fresh] = [before[index], after[index]]
    if (!old || !fresh) continue
    const [was, is] = [takenTransitions(then, old, true), takenTransitions(now, fresh, true)]
    // The same transition may have moved because another was inserted before it.
    if (was.length === is.length && was.every((one, at) => is[at] && sameStep(one, is[at]))) continue
    const actor = then.actors[old.actor]?.path ?? ''
    if (items.length < MOST) items.push({ index, actor, event: old.event.type, was, is })
    else more += 1
  }
  return items.length > 0 ? { items, more } : undefined
}

/**
 * Returns steps that may be detours: those with other transition names, and all steps of changed machines.
 */
function detourCandidates(
  then: ReplayableTrace,
  compared: number,
  otherNames: readonly number[],
  machines: readonly MachineDifference[],
): readonly number[] {
  if (!namesTransitions(then)) return []
  if (machines.length === 0) return otherNames
  const changed = new Set(machines.map(({ id }) => id))
  const others = new Set(otherNames)
  const indexes: number[] = []
  for (const [index, { actor }] of then.steps.slice(0, compared).entries())
    if (others.has(index) || changed.has(then.actors[actor]?.src ?? '')) indexes.push(index)
  return indexes
}

/** Returns why a replay without differences proves nothing; undefined if everything was compared. */
export function whyUncompared({
  compared,
  keyframes = 0,
  incomplete,
}: Pick<StepCheck, 'compared' | 'keyframes' | 'incomplete'>): string | undefined {
  if (compared + keyframes === 0)
    return 'it was recorded without steps and has no keyframe after the first event, so there is nothing to compare'
  if (incomplete === undefined) return undefined
  return `a part of a value was too large or too deeply nested to be recorded (first in ${
    keyframes > 0 ? 'the keyframe after stimulus' : 'step'
  } ${incomplete}), so it was not compared; everything else matches`
}
