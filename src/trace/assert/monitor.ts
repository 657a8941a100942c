// How a formula is watched: monitors take steps and tell what they find; four verdicts say how it stands.
import type { Memory } from './match.ts'
import type { Followed, Step } from './steps.ts'
import type { Timers } from './timers.ts'
import type { Types } from './wanting.ts'

/**
 * How a formula stands: for good (`holds`, `fails`), or as far as the trace goes: nothing speaks against it
 * (`so far`), or something that was asked for has not come (`pending`).
 */
export type Verdict = 'holds' | 'so far' | 'pending' | 'fails'

/** What a monitor has found. */
export interface Found {
  readonly why: string
  /** The step that asked for something. */
  readonly trigger?: Step | undefined
  /** Further steps that make it what it is, each with its part in it. */
  readonly others?: readonly (readonly [part: string, step: Step])[]
  readonly key?: string | undefined
  /** It is the step itself that is wrong, though something is missing. */
  readonly isEarly?: boolean
  /** What did not come, in words. */
  readonly missing?: string
  /** Whom it is about, when not the actor of the step. */
  readonly about?: Followed | undefined
  readonly deadline?: Deadline | undefined
  /** `why` is what the formula was given to say. */
  readonly isTold?: boolean
}

export interface Deadline {
  readonly clock: 'time' | 'steps' | 'awake'
  readonly at: number
  readonly span: number
}

/** To whom a monitor tells. */
export interface Sink {
  /** It is broken, here and now. */
  fail(found: Found): void
  /** The trace ends, and this was still to come. */
  wait(found: Found): void
  /** It can not be broken any more. */
  hold(): void
}

/** One formula at work on one trace, or on a part of it. */
export interface Monitor {
  /** Takes a step of an actor that is wanted. */
  step(step: Step): void
  /** The trace, or the part of it, is over for good (`isClosed`) or goes on unseen. */
  end(isClosed: boolean): void
  verdict(): Verdict
  /** Its parts, when it is nothing but these, one after the other. */
  readonly parts?: readonly Part[]
}

/** What is shown the steps of some actors. */
export interface Part {
  readonly wants: (actor: Followed) => boolean
  /** The types of events that are of interest; any when undefined. */
  readonly types?: Types
  readonly step: (step: Step) => void
}

/** A formula made ready; each start watches by itself. */
export interface Plan {
  /** Whether steps of this actor are of interest. */
  readonly wants: (actor: Followed) => boolean
  /** The types of events that are of interest; any when undefined. Others may be shown all the same. */
  readonly types?: Types
  start(sink: Sink): Monitor
}

/** The trace around the monitors. */
export interface Surroundings {
  readonly memory: Memory
  readonly timers: Readonly<Record<Deadline['clock'], Timers>>
  /** The step that is looked at; undefined before the first. */
  step(): Step | undefined
  /** Calls back when all monitors have seen the step. */
  later(what: () => void): void
  /** Calls back when all is over that the same stimulus set off. */
  atRest(what: () => void): void
}

/** Makes a monitor of one's own: called once for each trace (or part of it), and then for each step. */
export type Watch = (around: {
  readonly report: Report
  readonly atRest: Surroundings['atRest']
}) => (step: Step) => void
/** Tells of something that must not be. */
export type Report = (about: Followed, why: string, trigger?: Step) => void

/** Shows each step to those parts that want it, one after the other. */
export function inTurn(parts: readonly Part[]): Required<Pick<Monitor, 'parts' | 'step'>> {
  return {
    parts,
    step(step) {
      for (const part of parts) if (part.wants(step.actor)) part.step(step)
    },
  }
}

/** A monitor as what it consists of. */
export const partsOf = ({ wants, types }: Plan, monitor: Monitor): readonly Part[] =>
  monitor.parts ?? [{ wants, types, step: monitor.step }]

const RANK: readonly Verdict[] = ['fails', 'pending', 'so far', 'holds']

/** The worst of several. */
export const worst = (verdicts: readonly Verdict[]): Verdict =>
  RANK.find(one => verdicts.includes(one)) ?? 'holds'

/** The best of several. */
export const best = (verdicts: readonly Verdict[]): Verdict =>
  RANK.findLast(one => verdicts.includes(one)) ?? 'fails'

/** What a verdict becomes when its opposite is asked for. */
export const OPPOSITE: Readonly<Record<Verdict, Verdict>> = {
  holds: 'fails',
  'so far': 'pending',
  pending: 'so far',
  fails: 'holds',
}

/** When time runs out for something that this step asked for, counted from it unless told. */
export type DeadlineOf = (trigger: Step, since?: number) => Deadline | undefined

/** The time on a clock. */
export const timeOf = (clock: Deadline['clock'], step: Step): number =>
  clock === 'time' ? step.t : clock === 'steps' ? step.seq : step.awake
