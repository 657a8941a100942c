// Attaching the console to any XState system in one line: it is recorded, and can be driven.
import type { Actor, AnyActorLogic } from 'xstate'
import { describeWith } from './given-schemas.ts'
import { createControl, type ControlHandle } from './control/create-control.ts'
import { attachedRecording, type AttachedRecording } from './recording/attached-recording.ts'
import { recordUnwritten, type RecordOptions } from './recording/unwritten-record.ts'

export interface Attached<L extends AnyActorLogic> {
  /** The actor, not started: used like that of `createActor`. */
  readonly actor: Actor<L>
  /** For `<ChartroomConsole recording={…} control={…} />`. */
  readonly recording: AttachedRecording
  readonly control: ControlHandle
}

/** As those of `createActor`, and what is said of the recording; the clock is the console's to hold. */
export type AttachOptions<L extends AnyActorLogic> = Omit<RecordOptions<L>, 'clock'>

/**
 * Creates an actor as `createActor(logic, options)` does, which the console shows, replays and drives. Timers run on
 * a clock that it can hold; secrets are left out of what is recorded.
 */
export function attach<L extends AnyActorLogic>(logic: L, options: AttachOptions<L> = {}): Attached<L> {
  const control = createControl()
  const given = { ...options, clock: control.clock } as RecordOptions<L>
  const own = recordUnwritten(logic, given, describeWith(options.schemas))
  const systems = { [own.trace.header.system]: logic }
  control.attach({ ...own, send: event => own.actor.send(event), recording: own, systems })
  return {
    actor: own.actor,
    control,
    recording: attachedRecording(own),
  }
}
