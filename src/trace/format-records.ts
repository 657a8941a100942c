// What a trace holds line by line: the header, then actors, what entered the system, and what the system did of it.
import type { MachineChart } from './format-chart.ts'

/** How an actor's logic came to be; `leaf` kinds are where effects enter the system. */
export type ActorKind = 'machine' | 'promise' | 'callback' | 'observable' | 'other'

/** First line of a file. */
export interface TraceHeader {
  readonly line: 'header'
  readonly format: number
  /** Name of the recorded system, e.g. `chartroom`; picks the machines that replay it. */
  readonly system: string
  readonly appVersion: string
  readonly xstateVersion: string
  /** Wall-clock start, ISO 8601; for display only, never used by a replay. */
  readonly startedAt: string
  /** Input of the root actor. */
  readonly input: unknown
  /** Name under which the root is known in its system. */
  readonly systemId?: string
  /** Every machine of the system by id, drawn and hashed from its structure. */
  readonly machines: Readonly<Record<string, MachineChart>>
  readonly redaction: {
    readonly policy: string
    /** Keys that the app added, and those that it allowed: a replay goes by them too. */
    readonly keys?: readonly string[]
    readonly allow?: readonly string[]
  }
  /** False where no views were recorded: a replay derives them, and is held against the keyframes. */
  readonly views?: false
  /** Of which recording this one is a branch, and the `seq` of the stimulus in whose place it goes on. */
  readonly branchOf?: { readonly system: string; readonly startedAt: string; readonly at: number }
}

/** One actor of the system, named by parent path + id + ordinal: `client/refresh/post#2`. */
export interface ActorEntry {
  readonly line: 'actor'
  readonly index: number
  readonly path: string
  /** Index of the parent; absent for the root. */
  readonly parent?: number
  readonly kind: ActorKind
  /** Machine id (key of `header.machines`) or the name under which the logic was provided. */
  readonly src: string
}

/**
 * Code that runs in the midst of a step and not in a replay: a leaf's start or n-th transition, a machine's n-th
 * custom action, the listeners of an actor's n-th snapshot or n-th emitted event, and what another system does when
 * an actor sends it the n-th event.
 */
export type Phase = 'start' | 'transition' | 'action' | 'snapshot' | 'emit' | 'send'

/**
 * Where in the midst of a step something was sent by the app's own code; a replay repeats it there. What was sent
 * before the system was started stands at the second start (`n` 1) of its root.
 */
export interface Anchor {
  readonly phase: Phase
  readonly n: number
  /** Index of the actor whose code was running, when it is not the emitter itself. */
  readonly in?: number
}

/** Something that entered the system from outside. Replaying exactly these reproduces the run. */
export interface Stimulus {
  readonly line: 'stimulus'
  readonly seq: number
  /** Milliseconds since the recording began, on a monotonic clock. */
  readonly t: number
  readonly kind: 'external' | 'leaf' | 'timer' | 'stop'
  /** Actor index; for `leaf` the receiver of the emission. */
  readonly to: number
  /** For `leaf`: the emitting actor. For `timer`: the one that set it. */
  readonly from?: number
  /** Absent for `stop`; of a timer's only the type. */
  readonly event?: unknown
  /** For `leaf`, and for sends made by a leaf's own code: absent when asynchronous. */
  readonly anchor?: Anchor
  /** For `leaf`: its code threw this at the anchor, instead of emitting an event. */
  readonly threw?: { readonly error: unknown }
  /** For `timer`: which of the timers armed since the start, counted from 0. */
  readonly ordinal?: number
  /** For `timer`: the milliseconds for which it was set. */
  readonly delay?: number
}

/** A value that the system read from its environment, in order of reading. */
export interface TapeEntry {
  readonly line: 'tape'
  readonly kind: 'now' | 'random' | 'id'
  readonly value: number | string
  /** `seq` of the last stimulus before it was read; absent for what was read before the first one. */
  readonly at?: number
}

/** One actor's step as inspection showed it: the event it took and the snapshot it reached. */
export interface ViewRecord {
  readonly line: 'view'
  readonly seq: number
  /** Milliseconds since the recording began. */
  readonly t: number
  readonly actor: number
  readonly event: { readonly type: string } & Readonly<Record<string, unknown>>
  /** Actor index of the sender; absent for an event from outside. */
  readonly from?: number
  /** `seq` of the stimulus whose processing produced this step; -1 for the system's own start. */
  readonly cause: number
  /** `seq` of the view in whose processing this event was sent, when there is one; always a smaller one. */
  readonly by?: number
  readonly status: 'active' | 'done' | 'error' | 'stopped'
  /** State value of a machine; absent for other actors. */
  readonly value?: StateValue
  readonly context?: unknown
  readonly output?: unknown
  readonly error?: unknown
  /** False when the event changed nothing (same state value and context as before). */
  readonly changed: boolean
  /** Transitions that a machine took, in order, each as `path#n`: the n-th of the state at that path in its chart. */
  readonly via?: readonly string[]
}

export type StateValue = string | { readonly [key: string]: StateValue | undefined }

/** Rolling hashes of actors' views so far; they find the first divergence in a file without views. */
export interface HashRecord {
  readonly line: 'hash'
  /** How many views there were. */
  readonly after: number
  /** By index; only of those that had views since the last record of this kind. */
  readonly actors: Readonly<Record<string, string>>
}

/** Somebody's note on a step. */
export interface BookmarkRecord {
  readonly line: 'bookmark'
  /** `seq` of the view it is about. */
  readonly view: number
  readonly note: string
}

/** A problem found while recording: a replay cannot reproduce what follows. */
export interface DamageRecord {
  readonly line: 'damage'
  /** How many stimuli there were when it was found. */
  readonly at: number
  readonly message: string
}

/** Last line of a file that was closed in order; its absence means that the file was cut short. */
export interface EndRecord {
  readonly line: 'end'
  readonly stimuli: number
  readonly views: number
}
