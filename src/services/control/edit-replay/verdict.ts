// The verdict of a drive: the same as recorded, or where it first differs.
import { type ReplayableTrace, short, shownState } from '../../../trace/index.ts'
import {
  describeDivergence,
  type Divergence,
  type DriveReport,
  type StepSummary,
} from '../../replay/index.ts'
import type { DrivenEdit } from './drive-edit.ts'

/** How a recording went with the new version of a module. */
export interface EditVerdict {
  readonly label: string
  /** Number of recorded steps. */
  readonly steps: number
  readonly outcome: DriveReport['outcome']
  /** The first difference, or why the recording cannot be driven; without its period. */
  readonly reason?: string
  readonly first?: {
    /** Number of the step. */
    readonly step: number
    /** Path of the actor, if there is one. */
    readonly actor?: string
    readonly lines: readonly string[]
    /** Both runs, which no longer grow. */
    readonly recorded: ReplayableTrace
    readonly driven: ReplayableTrace
  }
}

/** Returns the verdict of a driven system. */
export function verdictOf({ label, trace, drive }: DrivenEdit): EditVerdict {
  const { report } = drive
  const base = { label, steps: trace.steps.length, outcome: report.outcome }
  if (report.outcome === 'unusable') return { ...base, reason: report.reason }
  if (report.outcome !== 'differs') return base
  const { first } = report
  if (!first || !drive.trace) return { ...base, reason: otherReason(report) }
  const actor = (first.got ?? first.expected)?.actor
  return {
    ...base,
    reason: reasonOf(first),
    first: {
      step: first.index,
      ...(actor !== undefined && { actor }),
      lines: describeDivergence(first),
      recorded: { ...trace, live: false },
      driven: { ...drive.trace, live: false },
    },
  }
}

function reasonOf({ expected, got: actual, differences, problem }: Divergence): string {
  if (problem !== undefined) return problem
  if (!actual) return `${expected?.actor} no longer takes ${expected?.event}`
  if (!expected) return `${actual.actor} takes ${actual.event}, which was not recorded`
  const isSameEvent = actual.actor === expected.actor && actual.event === expected.event
  const [now, then] = [nameOf(actual), nameOf(expected)]
  if (!isSameEvent) return `${actual.actor} takes ${actual.event}, not ${expected.actor} ${expected.event}`
  const [value] = differences
  if (now !== then) return `${actual.actor} on ${actual.event} is ${now}, not ${then}`
  return `${actual.actor} on ${actual.event}: ${value ? `${value.path} is ${short(value.got)}, not ${short(value.expected)}` : 'another step'}`
}

/** A state as its name, or as JSON. */
const nameOf = (step: StepSummary): string =>
  typeof step.state === 'string' && step.status === 'active' ? step.state : shownState(step)

/** Findings without a step that differs. */
function otherReason({
  waits,
  unrecorded,
  missingReadings,
}: Exclude<DriveReport, { outcome: 'unusable' }>): string {
  const [wait] = waits.items
  if (wait) return `${wait.actor} waits for ${wait.src}, whose result was not recorded`
  const [timer] = unrecorded.items
  if (timer) return `${timer.actor} fires ${timer.event}, which was not recorded`
  return `${missingReadings} readings of the platform were not recorded`
}
