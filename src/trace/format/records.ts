// The lines of a trace: the header, then actors, stimuli, and the resulting steps.
import type { MachineChart } from './chart.ts'

/** The kind of an actor's logic; effects enter the system at `leaf` kinds. */
export type ActorKind = 'machine' | 'promise' | 'callback' | 'observable' | 'other'

/** First line of a file. */
export interface TraceHeader {
  readonly line: 'header'
  readonly format: number
  /** Name of the recorded system, e.g. `chartroom`; selects the machines for a replay. */
  readonly system: string
  readonly appVersion: string
  readonly xstateVersion: string
  /** Wall-clock start, ISO 8601; for display only, never used by a replay. */
  readonly startedAt: string
  /** Input of the root actor. */
  readonly input: unknown
  /** System id of the root. */
  readonly systemId?: string
  /** Every machine of the system by id, with a chart and hash of its structure. */
  readonly machines: Readonly<Record<string, MachineChart>>
  readonly redaction: {
    readonly policy: string
    /** Keys that the app added, and those that it allowed; a replay applies them too. */
    readonly keys?: readonly string[]
    readonly allow?: readonly string[]
  }
  /** False if no steps were recorded: a replay derives them and checks them against the keyframes. */
  readonly steps?: false
  /** What machine code reads from the platform is on the tape. If absent, only readings of `env` are. */
  readonly platform?: true
  /** The recording of which this one is a branch, and the `seq` of the stimulus that the branch replaces. */
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
 * Code that runs during a step but not in a replay: a leaf's start or n-th transition, a machine's n-th
 * custom action, the listeners of an actor's n-th snapshot or n-th emitted event, and the reaction of another
 * system to the n-th event that an actor sends it.
 */
export type Phase = 'start' | 'transition' | 'action' | 'snapshot' | 'emit' | 'send'

/**
 * The position within a step at which the app's own code sent something; a replay repeats it there. Events
 * sent before the system started belong to the second start (`n` 1) of its root.
 */
export interface Anchor {
  readonly phase: Phase
  readonly n: number
  /** Index of the actor whose code was running, if it is not the emitter itself. */
  readonly in?: number
}

/** An input from outside the system. Replaying exactly these inputs reproduces the run. */
export interface Stimulus {
  readonly line: 'stimulus'
  readonly seq: number
  /** Milliseconds since the recording started, on a monotonic clock. */
  readonly t: number
  readonly kind: 'external' | 'leaf' | 'timer' | 'stop'
  /** Actor index; for `leaf` the receiver of the emission. */
  readonly to: number
  /** For `leaf`: the emitting actor. For `timer`: the actor that set it. */
  readonly from?: number
  /** Absent for `stop`; only the type for `timer`. */
  readonly event?: unknown
  /** For `leaf`, and for events sent by a leaf's own code: absent when asynchronous. */
  readonly anchor?: Anchor
  /** For `leaf`: its code threw this at the anchor, instead of emitting an event. */
  readonly threw?: { readonly error: unknown }
  /** For `timer`: ordinal of the timer since the start, counted from 0. */
  readonly ordinal?: number
  /** For `timer`: its delay in milliseconds. */
  readonly delay?: number
}

/** A value that the system read from its environment, in reading order. */
export interface TapeEntry {
  readonly line: 'tape'
  /** `now`, `random` or `id` of `env`, or a function of the platform or the app, such as `Math.random()`. */
  readonly kind: string
  readonly value: unknown
  /** `seq` of the last stimulus before the reading; absent before the first one. */
  readonly at?: number
}

/** One actor's step as inspected: the event it received and the resulting snapshot. */
export interface StepRecord {
  readonly line: 'step'
  readonly seq: number
  /** Milliseconds since the recording started. */
  readonly t: number
  readonly actor: number
  readonly event: { readonly type: string } & Readonly<Record<string, unknown>>
  /** Actor index of the sender; absent for an event from outside. */
  readonly from?: number
  /** `seq` of the stimulus that caused this step; -1 for the system's own start. */
  readonly cause: number
  /** `seq` of the step during which this event was sent, if any; always smaller. */
  readonly by?: number
  readonly status: 'active' | 'done' | 'error' | 'stopped'
  /** State value of a machine; absent for other actors. */
  readonly value?: StateValue
  readonly context?: unknown
  readonly output?: unknown
  readonly error?: unknown
  /** False if the event changed nothing (same state value and context as before). */
  readonly changed: boolean
  /**
   * Transitions taken by a machine, in order, each as `path#n`: the n-th of the state at that path in its
   * chart.
   */
  readonly via?: readonly string[]
}

export type StateValue = string | { readonly [key: string]: StateValue | undefined }

/** Rolling hashes of actors' steps so far; they locate the first divergence in a file without steps. */
export interface HashRecord {
  readonly line: 'hash'
  /** Number of steps so far. */
  readonly after: number
  /** By index; only actors with steps since the last record of this kind. */
  readonly actors: Readonly<Record<string, string>>
}

/** A user's note on a step. */
export interface BookmarkRecord {
  readonly line: 'bookmark'
  /** `seq` of the step. */
  readonly step: number
  readonly note: string
}

/** A problem found while recording: a replay cannot reproduce what follows. */
export interface DamageRecord {
  readonly line: 'damage'
  /** Number of stimuli when it was found. */
  readonly at: number
  readonly message: string
}

/** Last line of a properly closed file; if absent, the file was truncated. */
export interface EndRecord {
  readonly line: 'end'
  readonly stimuli: number
  readonly steps: number
}
