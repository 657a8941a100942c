// The monitor interface: monitors receive steps and report findings; their state is one of four verdicts.
import type { Memory, Types } from './match.ts'
import type { Followed, ObservedStep } from './steps.ts'
import type { Timers } from './deadline.ts'

/**
 * The state of a formula: final (`holds`, `fails`), or preliminary: no failure yet (`so far`), or an expected
 * step has not occurred (`pending`).
 */
export type Verdict = 'holds' | 'so far' | 'pending' | 'fails'

/** A finding of a monitor. */
export interface Found {
  readonly why: string
  /** The step that started the expectation. */
  readonly trigger?: ObservedStep | undefined
  /** Further steps that cause it, each with its role. */
  readonly others?: readonly (readonly [part: string, step: ObservedStep])[]
  readonly key?: string | undefined
  /** The step itself is wrong, although something is missing. */
  readonly isEarly?: boolean
  /** Description of the missing step. */
  readonly missing?: string
  /** The actor concerned, if not the actor of the step. */
  readonly about?: Followed | undefined
  readonly deadline?: Deadline | undefined
  /** `why` comes from the formula's `says`. */
  readonly isReported?: boolean
}

export interface Deadline {
  readonly clock: 'time' | 'steps' | 'awake'
  readonly at: number
  readonly span: number
}

/** Receives the findings of a monitor. */
export interface Sink {
  /** The formula fails at this step. */
  fail(found: Found): void
  /** The trace ends while this is pending. */
  wait(found: Found): void
  /** The formula can no longer fail. */
  hold(): void
}

/** A formula that watches a trace or a part of it. */
export interface Monitor {
  /** Receives a step of a wanted actor. */
  step(step: ObservedStep): void
  /** The trace, or this part of it, has ended for good (`isClosed`) or continues unobserved. */
  end(isClosed: boolean): void
  verdict(): Verdict
  /** Its parts, if it only forwards steps to them in order. */
  readonly parts?: readonly Part[]
}

/** The outcome of a formula that holds at the end of the trace unless it has failed. */
export function outcomeFor(sink: Sink): Pick<Monitor, 'end' | 'verdict'> & Pick<Sink, 'fail'> {
  let verdict: Verdict = 'so far'
  return {
    fail(found) {
      verdict = 'fails'
      sink.fail(found)
    },
    end(isClosed) {
      if (!isClosed || verdict !== 'so far') return
      verdict = 'holds'
      sink.hold()
    },
    verdict: () => verdict,
  }
}

/** A receiver of the steps of some actors. */
export interface Part {
  readonly wants: (actor: Followed) => boolean
  /** The relevant event types; all if undefined. */
  readonly types?: Types
  readonly step: (step: ObservedStep) => void
}

/** A compiled formula; each start creates an independent monitor. */
export interface Plan {
  /** Whether steps of this actor are relevant. */
  readonly wants: (actor: Followed) => boolean
  /** The relevant event types; all if undefined. Others may be passed anyway. */
  readonly types?: Types
  start(sink: Sink): Monitor
}

/** The trace context of the monitors. */
export interface MonitorContext {
  readonly memory: Memory
  readonly timers: Readonly<Record<Deadline['clock'], Timers>>
  /** The current step; undefined before the first. */
  step(): ObservedStep | undefined
  /** Runs a callback after all monitors have received the step. */
  later(what: () => void): void
  /** Runs a callback after everything that the same stimulus caused. */
  atRest(what: () => void): void
}

/** Creates a custom monitor: called once per trace (or part of it); the result is called for each step. */
export type Watch = (around: {
  readonly report: Report
  readonly atRest: MonitorContext['atRest']
}) => (step: ObservedStep) => void
/** Reports a failure. */
export type Report = (about: Followed, why: string, trigger?: ObservedStep) => void

/** Passes each step to the parts that need it, in order. */
export function inTurn(parts: readonly Part[]): Required<Pick<Monitor, 'parts' | 'step'>> {
  return {
    parts,
    step(step) {
      for (const part of parts) if (part.wants(step.actor)) part.step(step)
    },
  }
}

/** Splits a monitor into its parts. */
export const partsOf = ({ wants, types }: Plan, monitor: Monitor): readonly Part[] =>
  monitor.parts ?? [{ wants, types, step: monitor.step }]

const RANK: readonly Verdict[] = ['fails', 'pending', 'so far', 'holds']

/** The worst of several verdicts. */
export const worst = (verdicts: readonly Verdict[]): Verdict =>
  RANK.find(one => verdicts.includes(one)) ?? 'holds'

/** The best of several verdicts. */
export const best = (verdicts: readonly Verdict[]): Verdict =>
  RANK.findLast(one => verdicts.includes(one)) ?? 'fails'

/** The verdict of the negated formula. */
export const OPPOSITE: Readonly<Record<Verdict, Verdict>> = {
  holds: 'fails',
  'so far': 'pending',
  pending: 'so far',
  fails: 'holds',
}

/** Computes the deadline of an expectation; it starts at the trigger step unless `since` is given. */
export type DeadlineOf = (trigger: ObservedStep, since?: number) => Deadline | undefined

/** Reads the time on a clock. */
export const timeOf = (clock: Deadline['clock'], step: ObservedStep): number =>
  clock === 'time' ? step.t : clock === 'steps' ? step.seq : step.awake
