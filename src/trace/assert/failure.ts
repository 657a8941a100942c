// Describes a failed assertion by the records that cause it.
import type { Found } from './monitor.ts'
import { describeSpan } from './deadline.ts'
import type { Followed, ObservedStep } from './steps.ts'
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

/** Looks up a step by its number, if available. */
export interface Lookup {
  step(seq: number): StepRecord | undefined
  path(actor: number): string
}

const summary = (step: StepRecord, actor: string): RecordSummary => ({
  seq: step.seq,
  t: step.t,
  actor,
  event: step.event.type,
  state: step.value === undefined ? step.status : stateName(step.value),
})

/** Maximum number of links in a chain. */
const LINKS = 12

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
export function failureOf(
  assertion: string,
  found: Found,
  at: ObservedStep,
  lookup: Lookup,
): AssertionFailure {
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
