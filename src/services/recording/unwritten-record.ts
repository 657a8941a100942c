// The core of recording any XState system, without the code that writes files: its logic as it is, wherever its actors come from and whatever they do.
import type { ActorOptions, AnyActorLogic } from 'xstate'
import type { RedactionPolicy } from '../../trace/secrets.ts'
import type { GivenSchemas } from '../given-schemas.ts'
import { createEntropy } from '../entropy.ts'
import type { Entropy } from '../entropy.ts'
import { isMachine } from './logic-kind.ts'
import { createSystemRecording } from './system-recording.ts'
import type { SystemRecordingOptions, UnwrittenRecording } from './recording-types.ts'

export interface RecordOptions<L extends AnyActorLogic> extends Omit<ActorOptions<L>, 'parent' | 'devTools'> {
  /** Name under which a replay finds the logic; the machine's id unless told. */
  readonly system?: string
  /** Version of the app, for those who read the trace. */
  readonly appVersion?: string
  /** Where random values for machine code come from (`env.random()`); the platform unless told. */
  readonly entropy?: Entropy
  /** How many stimuli lie between two keyframes, from each of which a replay can begin; 4,096 unless told. */
  readonly keyframeEvery?: number
  /**
   * False records no steps, only what they follow from: what enters the system, and keyframes. That costs next to
   * nothing while the system runs, and a replay derives the steps when somebody wants to see them. They are
   * recorded as they happen unless told.
   */
  readonly views?: boolean
  /**
   * What events carry, by id of the machine and type of the event: JSON Schema, or a Standard Schema that can tell
   * itself as such. The console's forms for sending events are made of it. A machine may bring its own instead.
   */
  readonly schemas?: GivenSchemas
  /** Rules by which secrets are found and left out, beside those that are built in. */
  readonly redact?: RedactionPolicy
}

/** Does what `record` does, without the code that writes files. */
export function recordUnwritten<L extends AnyActorLogic>(
  logic: L,
  options: RecordOptions<L> = {},
  describe?: SystemRecordingOptions<L>['describe'],
): UnwrittenRecording<L> {
  const {
    system,
    appVersion,
    entropy,
    keyframeEvery,
    views,
    redact,
    schemas: _schemas,
    clock: given,
    inspect,
    ...actorOptions
  } = options
  const clock = given ?? REAL
  const { random, id } = entropy ?? createEntropy()
  return createSystemRecording<L>({
    system: system ?? (isMachine(logic) ? logic.id : 'system'),
    appVersion: appVersion ?? '',
    clock,
    now: nowOf(clock),
    wall: () => new Date(),
    env: { now: () => Date.now(), random, id },
    logic: () => logic,
    describe,
    actorOptions,
    inspect,
    keyframeEvery,
    views,
    redact,
  })
}

const REAL = {
  setTimeout: (fn: () => void, ms: number): unknown => setTimeout(fn, ms),
  clearTimeout: (handle: never) => clearTimeout(handle),
}

/** A clock that is simulated tells its own time. */
function nowOf(clock: object): () => number {
  const now: unknown = 'now' in clock ? clock.now : undefined
  if (typeof now !== 'function') return () => performance.now()
  return () => {
    try {
      return Number(now.call(clock))
    } catch {
      return Number.NaN
    }
  }
}
