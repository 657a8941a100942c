// The replayer: runs a trace again and compares every step with what was recorded.
import type { AnyActorLogic } from 'xstate'
import type { ReplayableTrace } from '../../trace/format.ts'
import { Comparison, soundPart } from './comparison.ts'
import { describeDivergence } from './divergence.ts'
import type { Divergence } from './divergence.ts'
import { ReplayRun } from './replay-run.ts'
import type { ComposeSystem } from '../system-parts.ts'

/** Systems that can be replayed, by the name in the header. */
export type SystemRegistry = Readonly<Record<string, AnyActorLogic | ComposeSystem>>

/** How a machine here differs from the recorded one; explained, never refused. */
export interface MachineDifference {
  readonly id: string
  readonly difference: 'changed' | 'missing' | 'added'
}

interface ReportBase {
  readonly system: string
  /** What the trace holds. */
  readonly stimuli: number
  readonly views: number
  /** How many views were compared and found equal. */
  readonly compared: number
  readonly machines: readonly MachineDifference[]
  readonly damage: ReplayableTrace['damage']
}

export type ReplayReport = ReportBase &
  (
    | { readonly outcome: 'exact' }
    | { readonly outcome: 'diverged'; readonly divergence: Divergence }
    | { readonly outcome: 'unusable'; readonly reason: string; readonly divergence?: Divergence }
  )

/** Replays a trace and tells whether it came out the same, record by record. Never throws for what is in it. */
export function verify(trace: ReplayableTrace, systems: SystemRegistry): ReplayReport {
  const { system } = trace.header
  const base: ReportBase = {
    system,
    stimuli: trace.stimuli.length,
    views: trace.views.length,
    compared: 0,
    machines: [],
    damage: trace.damage,
  }
  const compose = Object.hasOwn(systems, system) ? systems[system] : undefined
  if (!compose) {
    const known = Object.keys(systems).join(', ') || 'none'
    return { ...base, outcome: 'unusable', reason: `unknown system "${system}"; known here: ${known}` }
  }
  const unreachable = trace.keyframes[0]?.unreachable ?? []
  if (unreachable.length > 0) {
    const reason = `it begins in the midst of a run with actors that no parent holds: ${unreachable.join(', ')}`
    return { ...base, outcome: 'unusable', reason }
  }
  try {
    return replay(trace, compose, base)
  } catch (error) {
    return { ...base, outcome: 'unusable', reason: `the replay broke off: ${String(error)}` }
  }
}

function replay(
  trace: ReplayableTrace,
  compose: AnyActorLogic | ComposeSystem,
  base: ReportBase,
): ReplayReport {
  const run = new ReplayRun(trace, compose)
  const sound = soundPart(trace)
  const machines = compareMachines(trace, run.trace)
  const check = new Comparison(trace, run.trace, sound)
  run.start()
  let wrong = check.next(run.problems)
  for (const stimulus of sound.stimuli) {
    if (wrong) break
    run.step(stimulus)
    wrong = check.next(run.problems)
  }
  wrong ??= check.rest()
  const report = { ...base, machines, compared: check.compared }
  const divergence = wrong && describeDivergence(trace, run, wrong)
  if (sound.reason !== undefined) {
    return { ...report, outcome: 'unusable', reason: sound.reason, ...(divergence && { divergence }) }
  }
  return divergence ? { ...report, outcome: 'diverged', divergence } : { ...report, outcome: 'exact' }
}

function compareMachines(recorded: ReplayableTrace, here: ReplayableTrace): MachineDifference[] {
  const [then, now] = [recorded.header.machines, here.header.machines]
  const ids = [...new Set([...Object.keys(then), ...Object.keys(now)])]
  return ids.flatMap((id): MachineDifference[] => {
    if (!now[id]) return [{ id, difference: 'missing' }]
    if (!then[id]) return [{ id, difference: 'added' }]
    return then[id].hash === now[id].hash ? [] : [{ id, difference: 'changed' }]
  })
}
