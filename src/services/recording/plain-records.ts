// Records as a trace holds them, made from what a running system has: numbers for actors, no secrets.
import type { AnyEventObject } from 'xstate'
import type { ActorEntry, Anchor, Stimulus, ViewRecord } from '../../trace/format.ts'
import type { Redactor } from '../../trace/redact.ts'
import type { Known } from './actor-registry.ts'
import type { Step } from './step.ts'
import { viaOf } from './taken.ts'

/** A stimulus before it is made plain. */
export interface RawStimulus {
  readonly seq: number
  readonly t: number
  readonly kind: Stimulus['kind']
  readonly to: Known
  readonly from?: Known | undefined
  readonly event?: AnyEventObject | undefined
  readonly ordinal?: number | undefined
  readonly delay?: number | undefined
  readonly more?: More | undefined
}

/** A stimulus without its place. */
export type Happening = Omit<RawStimulus, 'seq' | 't'>

/** What only some stimuli have. */
export interface More {
  readonly anchor?: (Omit<Anchor, 'in'> & { readonly in: Known }) | undefined
  readonly threw?: { readonly error: unknown }
}

/** A step before it is made plain: values are held by reference, actors by their entries. */
export type RawView = Omit<Step, 'by' | 'order' | 'next'> & {
  /** Number of the view in whose course it was sent, or -1. */
  readonly by: number
}

/** Number of the view in whose course the step was sent, or -1. */
export function senderOf({ by, seq }: Step): number {
  return by && by.seq < seq ? by.seq : -1
}

/** A step that is made plain at once. */
export function rawView(step: Step): RawView {
  const { actor, event, from, cause, seq, t, status, value, context, ending, changed, taken } = step
  const by = senderOf(step)
  return { actor, event, from, cause, by, seq, t, status, value, context, ending, changed, taken }
}

/** Number of an actor in this log. */
export type IndexOf = (known: Known) => number

/** An actor's line in the table. */
export function plainActor(entry: Known, indexOf: IndexOf, redactor: Redactor): ActorEntry {
  const { path, kind, src, up } = entry
  return {
    line: 'actor',
    index: indexOf(entry),
    path: redactor.text(path),
    ...(up && indexOf(up) >= 0 && { parent: indexOf(up) }),
    kind,
    src: redactor.text(src),
  }
}

/** A stimulus with its event made plain. */
export function plainStimulus(raw: RawStimulus, indexOf: IndexOf, redactor: Redactor): Stimulus {
  const { seq, t, kind, to, from, event, ordinal, delay, more } = raw
  const { anchor, threw } = more ?? {}
  return {
    line: 'stimulus',
    seq,
    t,
    kind,
    to: indexOf(to),
    ...(from && { from: indexOf(from) }),
    ...(event && { event: redactor.value(kind === 'timer' ? { type: event.type } : event) }),
    ...(anchor && { anchor: plainAnchor(anchor, from, indexOf) }),
    ...(ordinal !== undefined && { ordinal }),
    ...(delay !== undefined && { delay }),
    ...(threw && { threw: redactor.value(threw) }),
  }
}

function plainAnchor(anchor: NonNullable<More['anchor']>, from: Known | undefined, indexOf: IndexOf): Anchor {
  const { phase, n } = anchor
  return anchor.in === from ? { phase, n } : { phase, n, in: indexOf(anchor.in) }
}

/** Makes a part of the view with this number plain. */
export type PlainPart = (
  live: unknown,
  seq: number,
  part: 'event' | 'context' | 'output' | 'error',
) => unknown

/** Makes a view plain; the state value is left alone, since names of states are no secrets. */
export function plainView(raw: RawView, indexOf: IndexOf, plain: PlainPart): ViewRecord {
  const { seq, t, event = STOP, from, cause, by, status, value, context, changed, taken } = raw
  const { output, error } = raw.ending ?? {}
  return {
    line: 'view',
    seq,
    t,
    actor: indexOf(raw.actor),
    event: plain(event, seq, 'event') as ViewRecord['event'],
    ...(from && { from: indexOf(from) }),
    cause,
    ...(by >= 0 && { by }),
    status,
    ...(value !== undefined && { value }),
    ...(context !== undefined && { context: plain(context, seq, 'context') }),
    ...(output !== undefined && { output: plain(output, seq, 'output') }),
    ...(error !== undefined && { error: plain(error, seq, 'error') }),
    changed,
    ...(taken && { via: viaOf(taken) }),
  }
}

/** For being stopped, of which nobody is told. */
export const STOP: AnyEventObject = { type: 'xstate.stop' }
