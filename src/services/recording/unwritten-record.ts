// Core of recording any XState system, without the code that writes files.
import type { ActorOptions, AnyActorLogic } from 'xstate'
import type { RedactionPolicy } from '../../trace/index.ts'
import { type Codec, createEntropy, type Entropy, type GivenSchemas } from '../runtime/index.ts'
import { isMachine } from './logic-kind.ts'
import { needLogic } from './need-logic.ts'
import { createSystemRecording } from './system-recording.ts'
import type { SystemRecordingOptions, UnwrittenRecording } from './recording-types.ts'

/** Options of `record`. */
export interface RecordOptions<L extends AnyActorLogic> extends Omit<ActorOptions<L>, 'parent' | 'devTools'> {
  /** Name under which a replay finds the logic. Defaults to the machine's id. */
  readonly system?: string
  /** Version of the app, shown to readers of the trace. */
  readonly appVersion?: string
  /** Source of random values for machine code (`env.random()`). Defaults to the platform. */
  readonly entropy?: Entropy
  /** Number of stimuli between two keyframes; a replay can begin at each keyframe. Defaults to 4,096. */
  readonly keyframeEvery?: number
  /**
   * False records no steps, only the inputs they follow from and keyframes. That costs almost nothing at run
   * time, and a replay derives the steps on demand. Defaults to true.
   */
  readonly steps?: boolean
  /**
   * Whether what machine code reads from the platform is taped, so that a replay reads the same: the time
   * (`Date`, `performance`, `process.hrtime`), `Math.random()`, and random values of `crypto`. Defaults to
   * true. False leaves these functions alone.
   */
  readonly platform?: boolean
  /**
   * Whether objects of events keep their identity and class in a replay. Defaults to true. False saves examining
   * them, for machines that neither compare objects by identity nor use classes.
   */
  readonly identity?: boolean
  /**
   * Event schemas by machine id and event type: JSON Schema, or a Standard Schema that can export it. The
   * console builds its forms for sending events from them. A machine may provide its own schemas instead.
   */
  readonly schemas?: GivenSchemas
  /**
   * Classes whose instances cannot be written by their fields: `{ class, encode, decode }`. Those with `toJSON`
   * and a static `fromJSON` need none.
   */
  readonly codec?: Codec
  /** Rules for finding secrets, in addition to the built-in ones. */
  readonly redact?: RedactionPolicy
}

/**
 * Like `record`, without the code that writes files, and with the given parts only.
 * @throws TypeError for anything but logic of XState 5
 */
export function recordUnwritten<L extends AnyActorLogic>(
  logic: L,
  options: RecordOptions<L> = {},
  parts: Pick<SystemRecordingOptions<L>, 'describe' | 'platform' | 'tracking'> = {},
): UnwrittenRecording<L> {
  needLogic(logic)
  const {
    system,
    appVersion,
    entropy,
    keyframeEvery,
    steps,
    platform: _platform,
    redact,
    codec: _codec,
    identity: _identity,
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
    ...parts,
    actorOptions,
    inspect,
    keyframeEvery,
    steps,
    redact,
  })
}

const REAL = {
  setTimeout: (fn: () => void, ms: number): unknown => setTimeout(fn, ms),
  clearTimeout: (handle: never) => clearTimeout(handle),
}

/** A simulated clock provides its own time. */
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
