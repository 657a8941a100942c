// A sandbox: continues a recorded run from any event, isolated from the network and controlled like a live
// system.
import {
  type AnyActorRef,
  fromCallback,
  fromObservable,
  fromPromise,
  type AnyActorLogic,
  type AnyStateMachine,
} from 'xstate'
import { encodeFile, type ReplayableTrace, type TraceSource } from '../../trace/index.ts'
import { branch, type Edit } from '../replay/index.ts'
import type { SystemRegistry, ComposeSystem } from '../runtime/index.ts'
import { Control } from './control.ts'
import { notePurposes, ControlPoint } from './control-point.ts'
import { isLeaf, isMachine, logicKind } from '../recording/index.ts'

/** Options of `createSandbox`. */
export interface SandboxOptions {
  /** Number of the stimulus that the live run replaces. Defaults to the end. */
  readonly at?: number
  /** Changes to earlier stimuli. */
  readonly edits?: readonly Edit[]
}

/** An isolated run without external effects. */
export interface Sandbox {
  readonly control: Control
  /** The sandbox's own recording, which replays exactly. */
  readonly recording: {
    readonly trace: TraceSource
    readonly isRecording: () => boolean
    readonly elapsed: () => number
    readonly start: () => void
    readonly stop: () => void
    readonly bookmark: (note: string, step?: number) => void
    readonly download: () => Promise<Blob>
  }
  /** Milliseconds on its clock. */
  readonly now: () => number
  /** What could not be restored, as sentences. */
  readonly notes: readonly string[]
  readonly dispose: () => void
}

/**
 * Continues from a position in a trace. Effects are muted; use `control.emitAs` to emit their results.
 * @throws Error if the system is unknown or cannot be restored at that position
 */
export function createSandbox(
  trace: ReplayableTrace,
  systems: SystemRegistry,
  options: SandboxOptions = {},
): Sandbox {
  const point = new ControlPoint()
  const { clock } = point
  const silent = Object.fromEntries(Object.entries(systems).map(([name, one]) => [name, mutedSystem(one)]))
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
  point.steered = { actor, send: (event: never) => actor.send(event), recording, actors }
  return {
    control: new Control(point),
    recording: {
      trace: recording.trace,
      isRecording: recording.isRecording,
      elapsed: recording.elapsed,
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

const forever = { subscribe: () => ({ unsubscribe: () => undefined }) }

const SILENT: Readonly<Partial<Record<string, AnyActorLogic>>> = {
  promise: fromPromise(() => new Promise(() => undefined)),
  callback: fromCallback(() => undefined),
  observable: fromObservable(() => forever),
}

/**
 * Returns the logic with every effect that it provides, at any depth, muted. Custom logic objects are not
 * changed.
 */
function muted(logic: AnyActorLogic): AnyActorLogic {
  if (isMachine(logic)) return mutedMachine(logic)
  return (isLeaf(logic) ? SILENT[logicKind(logic)] : undefined) ?? logic
}

/** The same for a composed system. */
function mutedSystem(system: AnyActorLogic | ComposeSystem): AnyActorLogic | ComposeSystem {
  if (typeof system !== 'function') return muted(system)
  return parts => mutedMachine(system(parts))
}

function mutedMachine(machine: AnyStateMachine): AnyStateMachine {
  const actors = Object.entries(machine.implementations.actors as Record<string, AnyActorLogic>)
  return machine.provide({
    actors: Object.fromEntries(actors.map(([name, logic]) => [name, muted(logic)])),
  } as Parameters<AnyStateMachine['provide']>[0])
}
