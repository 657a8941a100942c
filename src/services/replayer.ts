// The replayer: runs a trace again and compares every step with what was recorded.
import { comparable, createRollingHash } from '../trace/encode.ts'
import { LOST } from '../trace/decode.ts'
import type { ReplayableTrace, Stimulus, ViewRecord } from '../trace/format.ts'
import { describeDivergence } from './divergence.ts'
import type { Divergence } from './divergence.ts'
import { ReplayRun } from './replay-run.ts'
import type { ComposeSystem } from './system-parts.ts'

/** Systems that can be replayed, by the name in the header. */
export type SystemRegistry = Readonly<Record<string, ComposeSystem>>

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
  const unreachable = trace.keyframe?.unreachable ?? []
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

function replay(trace: ReplayableTrace, compose: ComposeSystem, base: ReportBase): ReplayReport {
  const run = new ReplayRun(trace, compose)
  const sound = soundPart(trace)
  const machines = compareMachines(trace, run.trace)
  const check = createComparison(trace, run, sound)
  run.start()
  let wrong = check.next()
  for (const stimulus of sound.stimuli) {
    if (wrong) break
    run.step(stimulus)
    wrong = check.next()
  }
  wrong ??= check.rest()
  const report = { ...base, machines, compared: check.compared() }
  const divergence = wrong && describeDivergence(trace, run, wrong)
  if (sound.reason !== undefined) {
    return { ...report, outcome: 'unusable', reason: sound.reason, ...(divergence && { divergence }) }
  }
  return divergence ? { ...report, outcome: 'diverged', divergence } : { ...report, outcome: 'exact' }
}

interface SoundPart {
  readonly stimuli: readonly Stimulus[]
  /** Views after these are not compared. */
  readonly views: number
  /** Why the rest is left out; absent when all of it is sound. */
  readonly reason?: string
}

/** What can be replayed of a damaged file: all whole steps before the first loss. */
function soundPart(trace: ReplayableTrace): SoundPart {
  const complete = trace.live || trace.end !== undefined
  const lostAt = trace.stimuli.findIndex(stimulus => isLost(stimulus.event))
  const lostView = trace.views.findIndex(view => isLost(view.event))
  if (complete && trace.damage.length === 0) return { stimuli: trace.stimuli, views: trace.views.length }
  let last = lostAt >= 0 ? lostAt : trace.stimuli.length
  // The last step before the loss may be missing some of what came with it.
  do last -= 1
  while (last > 0 && trace.stimuli[last]?.anchor)
  const end = trace.stimuli[Math.max(0, last)]?.seq ?? 0
  const firstAfter = trace.views.findIndex(view => view.cause >= end)
  const ends = [firstAfter, lostView].filter(at => at >= 0)
  const views = Math.min(trace.views.length, ...ends)
  const reason = trace.damage.map(({ atLine, message }) => `line ${atLine}: ${message}`).join('; ')
  return { stimuli: trace.stimuli.slice(0, Math.max(0, last)), views, reason }
}

function isLost(event: unknown): boolean {
  return typeof event === 'object' && event !== null && 'type' in event && event.type === LOST
}

/** The first thing that was not as recorded. */
export interface Wrong {
  /** Index of the view, or how many views there were when it was noticed. */
  readonly index: number
  readonly expected?: ViewRecord
  readonly got?: ViewRecord
  readonly problem?: string
}

function createComparison(trace: ReplayableTrace, run: ReplayRun, sound: SoundPart) {
  const dropped = trace.views.length === 0 && trace.hashes.length > 0
  const rolling = createRollingHash()
  let at = 0
  let hashAt = 0
  const actorOf = (view: ViewRecord, source: ReplayableTrace) => source.actors[view.actor]?.path
  const compare = (got: ViewRecord): Wrong | undefined => {
    if (dropped) return compareHash(got)
    const expected = trace.views[at]
    if (!expected) return { index: at, got }
    const equal =
      actorOf(expected, trace) === actorOf(got, run.trace) && comparable(expected) === comparable(got)
    return equal ? undefined : { index: at, expected, got }
  }
  const compareHash = (got: ViewRecord): Wrong | undefined => {
    rolling.add(got)
    const record = trace.hashes[hashAt]
    if (record?.after !== at + 1) return undefined
    hashAt += 1
    const { actors } = rolling.record()
    const actor = Object.keys(actors).find(key => actors[key] !== record.actors[key])
    if (actor === undefined) return undefined
    const path = run.trace.actors[Number(actor)]?.path
    return { index: at, got, problem: `the steps of ${path} up to here are not those recorded` }
  }
  return {
    compared: () => at,
    next(): Wrong | undefined {
      const { views } = run.trace
      for (; at < views.length && (dropped || at < sound.views || sound.reason === undefined); at++) {
        const wrong = compare(views[at] as ViewRecord)
        if (wrong) return wrong
      }
      const problem = run.problems[0]
      return problem === undefined ? undefined : { index: at, problem }
    },
    /** At the end: whatever was recorded and did not come. */
    rest(): Wrong | undefined {
      const expected = trace.views[at]
      if (expected && at < sound.views) return { index: at, expected }
      const count = trace.end?.views
      if (!dropped || count === undefined || count === at) return undefined
      return { index: at, problem: `${count} steps were recorded, and ${at} came` }
    },
  }
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
