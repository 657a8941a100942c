// The report of a check: the final verdict of each assertion, and its failures with the records that cause
// them.
import type { Assertion } from './language.ts'
import type { Found, Verdict } from './monitor.ts'
import type { AssertionRun, RunListener } from './run.ts'
import type { Followed, ObservedStep } from './steps.ts'
import { describeSpan } from './deadline.ts'
import { stateName, timeInWords } from './values.ts'
import type { StepRecord } from '../format/records.ts'

/** Summary of one record of the trace. */
export interface RecordSummary {
  readonly seq: number
  /** Milliseconds since the recording started. */
  readonly t: number
  readonly actor: string
  readonly event: string
  /** The state after the step; the status for actors without states. */
  readonly state: string
}

/** A failed assertion, or one that is pending when the trace ends. */
export interface AssertionFailure {
  readonly assertion: string
  /** Number and time of the step at which it was detected. */
  readonly seq: number
  readonly t: number
  /** Path of the actor concerned. */
  readonly actor: string
  readonly why: string
  readonly key?: string
  /** The records that cause it, each with its role: `asked`, `came`, `open`, `after`. */
  readonly records: readonly { readonly part: string; readonly record: RecordSummary }[]
  /** Description of the missing step. */
  readonly missing?: string
  /** Text of the deadline: its length and its end. */
  readonly deadline?: string
  /** The causal chain from the stimulus to the step concerned; the last links of a long chain. */
  readonly chain: readonly RecordSummary[]
}

/** The result of one assertion. */
export interface AssertionResult {
  readonly name: string
  readonly says?: string
  /** `so far`: no failure in the trace up to here; `pending`: an expected step is missing. */
  readonly verdict: Verdict
  /** The first failures. */
  readonly failures: readonly AssertionFailure[]
  /** Number of failures. */
  readonly failed: number
  /** What was pending when the trace ended. */
  readonly waiting: readonly AssertionFailure[]
  /**
   * Whether any actor of the trace matches; otherwise the assertion passes without checking anything, and a
   * name may be misspelled.
   */
  readonly isMet: boolean
}

/** The report of a check. */
export interface CheckReport {
  /** The worst verdict; `holds` includes no failure so far. */
  readonly outcome: 'holds' | 'pending' | 'fails'
  readonly results: readonly AssertionResult[]
  /** Number of checked steps: all up to the first damaged one. */
  readonly steps: number
  /** Whether the end of the trace counts as the end of the system. */
  readonly isClosed: boolean
}

/** Looks up a step by its number, if available. */
export interface Lookup {
  step(seq: number): StepRecord | undefined
  path(actor: number): string
}

type Finding = readonly [found: Found, at: ObservedStep]

/** Collects the first findings of each assertion; describes them in full at the end. */
export class Tally implements RunListener {
  readonly #assertions: readonly Assertion[]
  readonly #limit: number
  readonly #failed = new Map<Assertion, { count: number; readonly first: Finding[] }>()
  readonly #waiting = new Map<Assertion, Finding[]>()

  constructor(assertions: readonly Assertion[], limit: number) {
    this.#assertions = assertions
    this.#limit = limit
  }

  readonly failed = (assertion: Assertion, found: Found, at: ObservedStep): void => {
    const known = this.#failed.get(assertion) ?? { count: 0, first: [] }
    known.count += 1
    if (known.first.length < this.#limit) known.first.push([found, at])
    this.#failed.set(assertion, known)
  }

  readonly waits = (assertion: Assertion, found: Found, at: ObservedStep): void => {
    const known = this.#waiting.get(assertion) ?? []
    if (known.length < this.#limit) known.push([found, at])
    this.#waiting.set(assertion, known)
  }

  /** Number of failures. */
  get count(): number {
    let all = 0
    for (const { count } of this.#failed.values()) all += count
    return all
  }

  /** The steps of the described findings, whose causes are looked up. */
  drain(): ObservedStep[] {
    const all = [
      ...[...this.#failed.values()].flatMap(({ first }) => first),
      ...[...this.#waiting.values()].flat(),
    ]
    return all.map(([{ trigger }, at]) => trigger ?? at)
  }

  report(run: AssertionRun, steps: number, isClosed: boolean, lookup: Lookup): CheckReport {
    const [verdicts, met] = [run.verdicts(), run.met()]
    const results = this.#assertions.map((one, index): AssertionResult => {
      const report = ([found, at]: Finding) => failureOf(one.name, found, at, lookup)
      const failed = this.#failed.get(one)
      return {
        name: one.name,
        ...(one.says !== undefined && { says: one.says }),
        verdict: verdicts[index] ?? 'holds',
        failures: failed?.first.map(report) ?? [],
        failed: failed?.count ?? 0,
        waiting: this.#waiting.get(one)?.map(report) ?? [],
        isMet: met[index] ?? false,
      }
    })
    const outcome = (['fails', 'pending'] as const).find(bad => verdicts.includes(bad)) ?? 'holds'
    return { outcome, results, steps, isClosed }
  }
}

const summary = (step: StepRecord, actor: string): RecordSummary => ({
  seq: step.seq,
  t: step.t,
  actor,
  event: step.event.type,
  state: step.value === undefined ? step.status : stateName(step.value),
})

/** Maximum number of links in a reported causal chain. */
export const LINKS = 12

function chainTo(step: StepRecord, { step: find, path }: Lookup): RecordSummary[] {
  const chain: RecordSummary[] = []
  let link: StepRecord | undefined = step
  while (link && chain.length < LINKS) {
    chain.unshift(summary(link, path(link.actor)))
    const { by, seq }: StepRecord = link
    link = by !== undefined && by < seq ? find(by) : undefined
  }
  return chain
}

/** Creates the failure for a finding at this step. */
function failureOf(assertion: string, found: Found, at: ObservedStep, lookup: Lookup): AssertionFailure {
  const { trigger, others = [], key, missing, deadline, why } = found
  const about: Followed = found.about ?? trigger?.actor ?? at.actor
  const part = (name: string, { record, actor }: ObservedStep) => ({
    part: name,
    record: summary(record, actor.path),
  })
  return {
    assertion,
    seq: at.seq,
    t: at.t,
    actor: about.path,
    why,
    ...(key !== undefined && { key }),
    records: [
      ...others.map(([name, step]) => part(name, step)),
      ...(trigger && trigger !== at ? [part('trigger', trigger)] : []),
      part(missing === undefined || found.isEarly ? 'occurred' : 'found at', at),
    ],
    ...(missing !== undefined && { missing }),
    ...(deadline && {
      deadline:
        deadline.clock === 'time'
          ? `${describeSpan(deadline)}, until ${timeInWords(deadline.at)}`
          : describeSpan(deadline),
    }),
    chain: chainTo((trigger ?? at).record, lookup),
  }
}

const recordInWords = ({ seq, t, actor, event, state }: RecordSummary): string =>
  `#${seq}  ${timeInWords(t)}  ${actor}  ${event} → ${state}`

/** Formats a failure as several lines. */
export function describeAssertionFailure(failure: AssertionFailure): string {
  const { assertion, actor, why, key, records, missing, deadline, chain } = failure
  const lines = [
    `${assertion}: ${actor}${key === undefined || why.includes(key) || key === actor ? '' : ` (${key})`}: ${why}`,
    ...records.map(({ part, record }) => `  ${part.padEnd(8)} ${recordInWords(record)}`),
    ...(missing === undefined
      ? []
      : [`  missing  ${missing}${deadline === undefined ? '' : ` (${deadline})`}`]),
    ...(chain.length < 2 ? [] : ['  because', ...chain.map(one => `    ${recordInWords(one)}`)]),
  ]
  return lines.join('\n')
}
