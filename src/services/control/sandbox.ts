// A sandbox: a recorded run goes on from any of its events, apart from the world, and is driven like a live system.
import type { AnyActorRef } from 'xstate'
import { encodeFile } from '../../trace/encode.ts'
import type { ReplayableTrace, TraceSource } from '../../trace/format.ts'
import { branch } from '../replay/branch.ts'
import type { Edit } from '../replay/edits.ts'
import type { SystemRegistry } from '../replay/find-system.ts'
import { Control } from './control.ts'
import { notePurposes, Seat } from './seat.ts'
import { silencedSystem } from './silence.ts'

export interface SandboxOptions {
  /** Number of the stimulus in whose place it goes on; the end unless told. */
  readonly at?: number
  /** Changes of what entered the system until then. */
  readonly edits?: readonly Edit[]
}

/** A run that goes on by itself; nothing of it reaches the world. */
export interface Sandbox {
  readonly control: Control
  /** Of its own; it replays exactly. */
  readonly recording: {
    readonly trace: TraceSource
    readonly isRecording: () => boolean
    readonly start: () => void
    readonly stop: () => void
    readonly bookmark: (note: string, view?: number) => void
    readonly download: () => Promise<Blob>
  }
  /** Milliseconds on its clock. */
  readonly now: () => number
  /** What could not be as it was, in sentences. */
  readonly notes: readonly string[]
  readonly dispose: () => void
}

/**
 * Goes on from a place in a trace. Effects say nothing by themselves: `control.say` has them speak.
 * @throws Error when there is no system for the trace here, or it cannot be brought back at that place
 */
export function createSandbox(
  trace: ReplayableTrace,
  systems: SystemRegistry,
  options: SandboxOptions = {},
): Sandbox {
  const seat = new Seat()
  const { clock } = seat
  const silent = Object.fromEntries(Object.entries(systems).map(([name, one]) => [name, silencedSystem(one)]))
  let root: AnyActorRef | undefined
  const { recording, notes } = branch(trace, silent, {
    ...options,
    clock: clock as never,
    inspect(event) {
      if (root || event.type !== '@xstate.actor') return
      root = event.actorRef as AnyActorRef
      notePurposes(root, clock)
    },
  })
  const { actor, actors } = recording
  seat.steered = { actor, send: (event: never) => actor.send(event), recording, actors }
  return {
    control: new Control(seat),
    recording: {
      trace: recording.trace,
      isRecording: recording.isRecording,
      start: recording.startRecording,
      stop: recording.stopRecording,
      bookmark: recording.bookmark,
      download: async () => new Blob([await encodeFile(recording.trace)], { type: 'application/gzip' }),
    },
    now: clock.now,
    notes,
    dispose: recording.stop,
  }
}
