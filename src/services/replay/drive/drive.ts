// The drive: replays a trace with machines that may have changed, to the end if possible.
import type { ReplayableTrace } from '../../../trace/index.ts'
import { soundPart } from '../verify/comparison.ts'
import type { DriveReport } from './drive-report.ts'
import { type Drive, type DriveOptions, DriveRun } from './drive-run.ts'
import { findSystem } from '../verify/find-system.ts'
import type { SystemRegistry } from '../../runtime/index.ts'
import { whyUnstarted } from '../verify/unverified.ts'

/**
 * Replays a trace with machines that may have changed and reports the result. Never throws because of the
 * trace's content.
 */
export function drive(
  trace: ReplayableTrace,
  systems: SystemRegistry,
  options: DriveOptions = {},
): DriveReport {
  return makeDrive(trace, systems, options).report
}

/** The same, and also returns the recording of the run. */
export function makeDrive(
  trace: ReplayableTrace,
  systems: SystemRegistry,
  options: DriveOptions = {},
): Drive {
  const base = {
    system: trace.header.system,
    stimuli: trace.stimuli.length,
    steps: trace.steps.length,
    machines: [],
    changes: [],
    damage: trace.damage,
  }
  const unusable = (reason: string): Drive => ({ report: { ...base, outcome: 'unusable', reason } })
  const found = findSystem(trace, systems)
  if ('reason' in found) return unusable(found.reason)
  const unstarted = trace.damage.length === 0 && whyUnstarted(trace)
  if (unstarted) return unusable(unstarted)
  try {
    return new DriveRun(soundTrace(trace), found.system, options).make()
  } catch (error) {
    return unusable(`the drive could not start: ${String(error)}`)
  }
}

/** Returns the complete steps of a damaged file. */
function soundTrace(trace: ReplayableTrace): ReplayableTrace {
  const { reason, stimuli, steps } = soundPart(trace)
  if (reason === undefined) return trace
  return { ...trace, header: trace.header, stimuli, steps: trace.steps.slice(0, steps) }
}
