// Machine coverage of traces: replays each trace and counts what its machines reach.
import {
  type CoverageReport,
  type CoveredTrace,
  mergeCoverage,
  recordedCoverage,
  type ReplayableTrace,
  toReport,
} from '../../../trace/index.ts'
import { machinesOf, type SystemRegistry } from '../../runtime/index.ts'
import { isMachine, logicOf } from '../../recording/index.ts'
import { Comparison, soundPart, type Wrong } from '../verify/comparison.ts'
import { CoverageWatch } from './coverage-watch.ts'
import { findSystem } from '../verify/find-system.ts'
import { isKeyframeOnly, KeyframeOnlyCheck, KeyframeOnlyResolver } from '../verify/keyframe-only-check.ts'
import { ReplayRun } from '../run/replay-run.ts'
import { whyUncompared, whyUnstarted } from '../verify/unverified.ts'

/**
 * Reports which states, transitions and guard branches of the given machines the traces reach in total. Every
 * trace is replayed as far as the replay is exact. If a trace's system is unknown, its recorded steps and the
 * machines in its header are used. Everything that no trace shows counts as not covered. Never throws because
 * of a trace's content.
 */
export function coverage(traces: Iterable<ReplayableTrace>, systems: SystemRegistry): CoverageReport {
  return mergeCoverage([...traces].map(trace => coverageOf(trace, systems)))
}

function coverageOf(trace: ReplayableTrace, systems: SystemRegistry): CoverageReport {
  const found = findSystem(trace, systems)
  if ('reason' in found) return recorded(trace, found.reason)
  const watch = new CoverageWatch()
  let reason: string | undefined
  try {
    reason = replay(trace, found.system, watch)
  } catch (error) {
    reason = `the replay failed: ${String(error)}`
  } finally {
    watch.end()
  }
  const how = reason === undefined ? 'replayed' : 'partly'
  return toReport([named(trace, how, reason)], watch.counts)
}

function named(
  { header: { system, startedAt } }: ReplayableTrace,
  how: CoveredTrace['how'],
  reason: string | undefined,
): CoveredTrace {
  return { system, startedAt, how, ...(reason !== undefined && { reason }) }
}

function recorded(trace: ReplayableTrace, reason: string): CoverageReport {
  const { counts, hasTransitions } = recordedCoverage(trace)
  const without = hasTransitions
    ? ''
    : '; its steps do not name their transitions, so only states are counted'
  return toReport([named(trace, 'recorded', reason + without)], counts)
}

/** Replays while the replay is exact. Returns the reason if it ends early. */
function replay(
  trace: ReplayableTrace,
  system: ConstructorParameters<typeof ReplayRun>[1],
  watch: CoverageWatch,
): string | undefined {
  const resolver = isKeyframeOnly(trace) ? new KeyframeOnlyResolver(trace) : undefined
  const run = new ReplayRun(trace, system, { inspect: watch.inspect, ...(resolver && { resolver }) })
  const root = logicOf(run.actor)
  if (isMachine(root)) machinesOf(root).forEach(watch.add, watch)
  const sound = soundPart(trace)
  const unstarted = sound.reason === undefined && whyUnstarted(trace)
  if (unstarted) return unstarted
  const check = resolver
    ? new KeyframeOnlyCheck(trace, run, resolver, sound)
    : new Comparison(trace, run.trace, sound)
  run.start()
  let wrong = check.next(run.problems)
  for (const stimulus of sound.stimuli) {
    if (wrong) break
    run.step(stimulus)
    wrong = check.next(run.problems)
  }
  wrong ??= check.rest()
  return wrong ? whereWrong(wrong) : (sound.reason ?? whyUncompared(check))
}

function whereWrong({ index, problem, between }: Wrong): string {
  const why = problem === undefined ? '' : `: ${problem}`
  if (between) return `diverges from the recording between stimulus ${between[0]} and ${between[1]}${why}`
  return `diverges from the recording at step ${index}${why}`
}
