// Converts live records to trace records: actors become numbers and secrets are removed.
import type { AnyEventObject } from 'xstate'
import {
  type ActorEntry,
  type Anchor,
  eventFields,
  type EventFields,
  type KeyframeRecord,
  type Redactor,
  type StepOutput,
  type StepRecord,
  type Stimulus,
  type TraceHeader,
  typeOf,
} from '../../trace/index.ts'
import type { ActorRecord } from './actor-record.ts'
import type { LiveStep } from './step.ts'
import type { KnownObjects } from './known-objects.ts'
import { viaOf } from './transitions-taken.ts'

/** A stimulus before conversion. */
export interface RawStimulus {
  readonly seq: number
  readonly t: number
  readonly kind: Stimulus['kind']
  readonly to: ActorRecord
  readonly from?: ActorRecord | undefined
  readonly event?: AnyEventObject | undefined
  readonly ordinal?: number | undefined
  readonly delay?: number | undefined
  readonly more?: More | undefined
}

/** A stimulus without its position. */
export type Happening = Omit<RawStimulus, 'seq' | 't'>

/** Fields that only some stimuli have. */
export interface More {
  readonly anchor?: (Omit<Anchor, 'in'> & { readonly in: ActorRecord }) | undefined
  readonly threw?: { readonly error: unknown }
  readonly known?: KnownObjects | undefined
}

/** A step before conversion: values are references, actors are registry entries. */
export type RawStep = Omit<LiveStep, 'by' | 'order' | 'next'> & {
  /** Number of the step during which the event was sent, or -1. */
  readonly by: number
}

/** Returns the number of the step during which the step's event was sent, or -1. */
export function senderOf({ by, seq }: LiveStep): number {
  return by && by.seq < seq ? by.seq : -1
}

/** Converts a step for immediate use. */
export function rawStep(step: LiveStep): RawStep {
  const { actor, event, from, cause, seq, t, status, value, context, ending, changed, taken, outputs } = step
  const by = senderOf(step)
  return { actor, event, from, cause, by, seq, t, status, value, context, ending, changed, taken, outputs }
}

/** Returns the number of an actor in this log. */
export type IndexOf = (known: ActorRecord) => number

/** Builds an actor's line in the actor table. */
export function plainActor(entry: ActorRecord, indexOf: IndexOf, redactor: Redactor): ActorEntry {
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

/** Converts a stimulus and its event. */
export function plainStimulus(raw: RawStimulus, indexOf: IndexOf, redactor: Redactor): Stimulus {
  const { seq, t, kind, to, from, ordinal, delay, more } = raw
  const { anchor, threw, known } = more ?? {}
  return {
    line: 'stimulus',
    seq,
    t: plainTime(t),
    kind,
    to: indexOf(to),
    ...(from && { from: indexOf(from) }),
    ...plainSent(raw, redactor.value),
    ...known?.plain(seq, indexOf, redactor.text),
    ...(anchor && { anchor: plainAnchor(anchor, from, indexOf) }),
    ...(ordinal !== undefined && { ordinal }),
    ...(delay !== undefined && { delay }),
    ...(threw && { threw: redactor.value(threw) }),
  }
}

/** An app's clock may return anything, and -0 does not exist in plain JSON. */
function plainTime(t: number): number {
  return Number.isFinite(t) ? t + 0 : 0
}

/** A timer's event was recorded when it was sent; a stop has none. */
function plainSent({ kind, event, more }: RawStimulus, plain: (value: unknown) => unknown): object {
  if (kind === 'stop' || more?.threw) return {}
  return { event: kind === 'timer' ? { type: plainType(event, plain) ?? '' } : plainEvent(event, plain) }
}

/** Converts an event; the result always has a type, whatever was sent. */
function plainEvent(event: unknown, plain: (value: unknown) => unknown): EventFields {
  return eventFields(plain(event), () => plainType(event, plain))
}

function plainType(event: unknown, plain: (value: unknown) => unknown): string | undefined {
  const type = typeOf(event)
  return type === undefined ? undefined : typeOf(plain({ type }))
}

function plainAnchor(
  anchor: NonNullable<More['anchor']>,
  from: ActorRecord | undefined,
  indexOf: IndexOf,
): Anchor {
  const { phase, n } = anchor
  return anchor.in === from ? { phase, n } : { phase, n, in: indexOf(anchor.in) }
}

/** Converts a keyframe with everything in it. */
export function plainKeyframe(live: KeyframeRecord, redactor: Redactor): KeyframeRecord {
  const { snapshot: liveSnapshot, ...rest } = live
  const timers = live.timers.map(timer => ({ ...timer, event: plainEvent(timer.event, redactor.value) }))
  // The secrets in the snapshot also occur in paths.
  const snapshot = redactor.value(liveSnapshot)
  return { ...redactor.nameless({ ...rest, timers }), snapshot }
}

/** Converts the first line of a trace. */
export function plainHeader(header: TraceHeader, redactor: Redactor): TraceHeader {
  const { input: liveInput, ...rest } = header
  const input = redactor.value(liveInput)
  return { ...redactor.nameless(rest), input }
}

/** Converts a part of the step with this number. */
export type PlainPart = (
  live: unknown,
  seq: number,
  part: 'event' | 'context' | 'output' | 'error' | 'outputs',
) => unknown

/** Converts a step. The state value is not changed, since state names are no secrets. */
export function plainStep(raw: RawStep, indexOf: IndexOf, plain: PlainPart): StepRecord {
  const { seq, t, event = STOP, from, cause, by, status, value, context, changed, taken, outputs } = raw
  const { output, error } = raw.ending ?? {}
  return {
    line: 'step',
    seq,
    t: plainTime(t),
    actor: indexOf(raw.actor),
    event: plainEvent(event, value => plain(value, seq, 'event')),
    ...(from && { from: indexOf(from) }),
    cause,
    ...(by >= 0 && { by }),
    status,
    ...(value !== undefined && { value }),
    ...(context !== undefined && { context: plain(context, seq, 'context') }),
    ...(output !== undefined && { output: plain(output, seq, 'output') }),
    ...(error !== undefined && { error: plain(error, seq, 'error') }),
    ...(outputs && { outputs: plain(outputs, seq, 'outputs') as readonly StepOutput[] }),
    changed,
    ...(taken && { via: viaOf(taken) }),
  }
}

/** Represents being stopped, for which XState reports no event. */
export const STOP: AnyEventObject = { type: 'xstate.stop' }
