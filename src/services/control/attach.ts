// Attaches the console to any XState system: records it and makes it controllable.
import type { Actor, AnyActorLogic } from 'xstate'
import { createControl, type ControlHandle } from './create-control.ts'
import {
  attachedRecording,
  type AttachedRecording,
  partsOf,
  type RecordOptions,
  recordUnwritten,
  type UnwrittenRecording,
} from '../recording/index.ts'

/** Result of `attach`: the actor with its recording and its control. */
export interface Attached<L extends AnyActorLogic> {
  /** The actor, not started; use it like the result of `createActor`. */
  readonly actor: Actor<L>
  /** For `<ChartroomConsole recording={…} control={…} />`. */
  readonly recording: AttachedRecording
  readonly control: ControlHandle
}

/** The same with the whole recording. */
export interface AttachedOwn<L extends AnyActorLogic> extends Attached<L> {
  readonly own: UnwrittenRecording<L>
}

/** Options of `createActor` and of recordings, except the clock, which the console controls. */
export type AttachOptions<L extends AnyActorLogic> = Omit<RecordOptions<L>, 'clock'>

/**
 * Creates an actor like `createActor(logic, options)` that the console can show, replay and control. Timers
 * run on a clock that it can pause; secrets are not recorded.
 */
export function attach<L extends AnyActorLogic>(logic: L, options: AttachOptions<L> = {}): Attached<L> {
  const { actor, recording, control } = attachWith(logic, options, partsOf(options))
  return { actor, recording, control }
}

/** Like `attach`, with the given parts of the recording only. */
export function attachWith<L extends AnyActorLogic>(
  logic: L,
  options: AttachOptions<L>,
  parts: Partial<ReturnType<typeof partsOf>>,
): AttachedOwn<L> {
  const control = createControl()
  const recordOptions = { ...options, clock: control.clock } as RecordOptions<L>
  const unwritten = recordUnwritten(logic, recordOptions, parts)
  const systems = { [unwritten.trace.header.system]: logic }
  control.attach({ ...unwritten, send: event => unwritten.actor.send(event), recording: unwritten, systems })
  return {
    own: unwritten,
    actor: unwritten.actor,
    control,
    recording: attachedRecording(unwritten),
  }
}
