// Converts live values to plain data: actors become references, snapshots lose internals, secrets are
// removed.
import {
  ActorReference,
  createRedactor,
  type RedactionPolicy,
  type Redactor,
  type ReplayableTrace,
  type StandIn,
  type StepRecord,
  type Stimulus,
} from '../../trace/index.ts'
import { plainHeader, plainKeyframe } from './plain-records.ts'
import type { Registry } from './actor-registry.ts'
import { isActor } from './is-actor.ts'

export interface Plainer {
  readonly redactor: Redactor
  /**
   * Removes secrets that were recognized after the records were made. Applied before records leave the
   * process.
   */
  refine(trace: ReplayableTrace): ReplayableTrace
}

/** The form in which instances of classes and secrets are written. */
export interface FormOfValues {
  /** Returns how an instance is written; undefined for itself. */
  readonly encode?: (object: object) => unknown
  readonly standIn?: StandIn
}

/** Creates a redactor that also handles actors and snapshots. */
export function createPlainer(
  registry: Registry,
  policy?: RedactionPolicy,
  { encode, standIn }: FormOfValues = {},
): Plainer {
  const redactor = createRedactor({
    policy,
    standIn,
    rewrite: registry.rewrite,
    replace(object) {
      if (isActor(object)) return new ActorReference(registry.of(object).path)
      return isLiveSnapshot(object) ? trimmed(object) : encode?.(object)
    },
  })
  const stimulus = (item: Stimulus): Stimulus => ({
    ...item,
    ...(item.event !== undefined && { event: redactor.value(item.event) }),
    ...(item.threw && { threw: redactor.value(item.threw) }),
  })
  const step = (item: StepRecord): StepRecord => ({
    ...item,
    event: redactor.value(item.event),
    ...('context' in item && { context: redactor.value(item.context) }),
    ...('output' in item && { output: redactor.value(item.output) }),
    ...('error' in item && { error: redactor.value(item.error) }),
    ...(item.outputs && { outputs: redactor.value(item.outputs) }),
  })
  const refine = (trace: ReplayableTrace): ReplayableTrace => ({
    ...trace,
    header: plainHeader(trace.header, redactor),
    actors: trace.actors.map(actor => ({
      ...actor,
      path: redactor.text(actor.path),
      src: redactor.text(actor.src),
    })),
    stimuli: trace.stimuli.map(stimulus),
    steps: trace.steps.map(step),
    tape: trace.tape.map(redactor.value),
    keyframes: trace.keyframes.map(keyframe => plainKeyframe(keyframe, redactor)),
    bookmarks: trace.bookmarks.map(redactor.value),
    damage: trace.damage.map(redactor.value),
  })
  return { redactor, refine }
}

/** Live snapshots of machines and observables contain XState internals; persisted ones do not. */
export function isLiveSnapshot(object: object): object is Record<string, unknown> {
  return ('machine' in object && '_nodes' in object) || ('_subscription' in object && 'status' in object)
}

function trimmed({
  status,
  value,
  context,
  output,
  error,
}: Record<string, unknown>): Record<string, unknown> {
  return {
    status,
    ...(value !== undefined && { value }),
    ...(context !== undefined && { context }),
    ...(output !== undefined && { output }),
    ...(error !== undefined && { error }),
  }
}
