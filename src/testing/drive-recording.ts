// Runs machines with the inputs of a recording, for tests of failures that were reported.
import { makeDrive } from '../services/replay/index.ts'
import type { ReplayableTrace } from '../trace/index.ts'
import { type Machines, toSystems, toTrace, type TraceLike } from './matchers.ts'

/**
 * Runs machines, by default Chartroom's own, with the events, responses and timers of a recording, and returns
 * the recording of that run, to be checked with the matchers. Inputs that the machines no longer take are left
 * out.
 * @throws TypeError with the reason if the recording cannot be used
 */
export async function driveRecording(recording: TraceLike, machines?: Machines): Promise<ReplayableTrace> {
  const given = await toTrace(recording)
  const { report, trace } = makeDrive(given, toSystems(machines, given), { compare: false })
  if (report.outcome === 'unusable') throw new TypeError(report.reason)
  if (!trace) throw new TypeError('The run could not begin.')
  return trace
}
