// The trace format: the lines of a recording of an actor system, as plain data.
import type { MachineChart } from './chart.ts'
import type { MachineSource } from './source.ts'

/** The version that this build writes. A file with a higher version is rejected with a message. */
export const FORMAT_VERSION = 1

/** Longer lines are not read: JSON of this size may take a gigabyte when parsed. */
export const MAX_LINE = 2 ** 24

/**
 * Any line of a file. Lines are in chronological order: an actor before the first record that names it, a
 * reading of the tape before the step that used it, a keyframe between two steps.
 */
export type TraceRecord =
  | TraceHeader
  | ActorEntry
  | Stimulus
  | TapeEntry
  | StepRecord
  | KeyframeRecord
  | HashRecord
  | BookmarkRecord
  | DamageRecord
  | EndRecord

/** A record with a position in a trace; the header and damage are stored separately. */
export type PlacedRecord = Exclude<TraceRecord, TraceHeader | DamageRecord>

/**
 * Converts a record of this format to the current format; each breaking change adds a step here. Format 1 is
 * the first, so there is none yet.
 */
export function upgradeRecord(record: TraceRecord, _format: number): TraceRecord {
  return record
}

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
  /** Objects that occur in the input several times, and instances of the app's classes in it. */
  readonly same?: readonly SameObject[]
  readonly types?: readonly TypedObject[]
  readonly partial?: true
  /** System id of the root. */
  readonly systemId?: string
  /** Every machine of the system by id, with a chart and hash of its structure. */
  readonly machines: Readonly<Record<string, MachineChart>>
  /** Where their parts are in the source code, by the same ids. */
  readonly sources?: Readonly<Record<string, MachineSource>>
  readonly redaction: {
    readonly policy: string
    /** Keys that the app added, and those that it allowed; a replay applies them too. */
    readonly keys?: readonly string[]
    readonly allow?: readonly string[]
  }
  /** False if no steps were recorded: a replay derives them and checks them against the keyframes. */
  readonly steps?: false
  /** Steps have the outputs of machines. If absent, they were not recorded. */
  readonly outputs?: true
  /** What machine code reads from the platform is on the tape. If absent, only readings of `env` are. */
  readonly platform?: true
  /** W3C trace context of the app when the file was written, e.g. that of OpenTelemetry or Sentry. */
  readonly traceparent?: string
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

/**
 * An object that a record has in common with an earlier event or with the system's state. A replay uses that
 * object, so that machine code can compare them by identity. Paths are JSON Pointers.
 */
export interface SameObject {
  /** Path of the object in this record's event or snapshot. */
  readonly at: string
  /** At which stimulus the object was found: number of stimuli before this record. Absent if 0. */
  readonly back?: number
  /**
   * The actor in whose state the object was just before that stimulus: `path` then begins with `/context`,
   * `/output`, `/error` or `/input`, or is empty for the snapshot itself. If absent, the object is in the
   * event of that stimulus, or elsewhere in this record.
   */
  readonly actor?: number
  readonly path: string
}

/** An instance of a class, at this JSON Pointer of a record's event or snapshot. */
export interface TypedObject {
  readonly at: string
  /** Name of the class. */
  readonly name: string
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
  /** Objects of the event that existed before, or that occur in it several times. */
  readonly same?: readonly SameObject[]
  /** Instances of the app's classes in the event, which is written by their fields. */
  readonly types?: readonly TypedObject[]
  /** The search for such objects ended at its limit. */
  readonly partial?: true
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
  /** Outputs of the machine during the step, in order; absent if there are none. */
  readonly outputs?: readonly StepOutput[]
  /** False if the event changed nothing (same state value and context as before). */
  readonly changed: boolean
  /**
   * Transitions taken by a machine, in order, each as `path#n`: the n-th of the state at that path in its
   * chart.
   */
  readonly via?: readonly string[]
}

/**
 * An effect of a machine outside of its state: a custom action with its parameters, a logged value, an emitted event, an
 * event to an actor of another system, or a timer.
 */
export interface StepOutput {
  readonly kind: 'action' | 'log' | 'emit' | 'send' | 'timer'
  /**
   * Of an action its name, absent for an inline function, which minifiers rename; of a logged value its label; of a timer
   * its id.
   */
  readonly name?: string
  /** The parameters, the logged value or the event; absent if there is none, and for timers of `after`. */
  readonly value?: unknown
  /** Of a timer, in milliseconds. */
  readonly delay?: unknown
}

export type StateValue = string | { readonly [key: string]: StateValue | undefined }

/** The nonzero counters of an actor, by phase. */
export interface CodeCounts {
  readonly actor: number
  readonly transitions: number
  readonly actions?: number
  readonly snapshots?: number
  readonly emits?: number
  readonly sends?: number
}

/** A timer that was active when a keyframe was taken. */
interface ArmedTimer {
  readonly ordinal: number
  /** Actor indices; no target if the event goes to an actor of another system. */
  readonly source: number
  readonly target?: number
  /** Name of the other system's actor. */
  readonly outside?: string
  readonly event: unknown
  readonly delay: number
  /** Remaining delay in milliseconds. */
  readonly left?: number
  readonly id: string
}

/**
 * The whole state of the system between two steps; everything needed to continue from there. A recording that
 * was started on a running system begins with one, and further ones may follow between its steps.
 */
export interface KeyframeRecord {
  readonly line: 'keyframe'
  /** `seq` of the next stimulus; 0 if the recording begins with it. */
  readonly at: number
  /** Number of steps before it, and number of readings of the tape. */
  readonly steps: number
  readonly tape: number
  /** Number of actors created so far; they are the first ones of the table. */
  readonly actors: number
  /**
   * Indices of the actors in the snapshot, parents before children; absent if they are all actors created so
   * far.
   */
  readonly tree?: readonly number[]
  /** Persisted snapshot of the root with all its children. */
  readonly snapshot: unknown
  /** Objects of the snapshot that were in an earlier event or state, or that occur in it several times. */
  readonly same?: readonly SameObject[]
  /** Instances of the app's classes in the snapshot. */
  readonly types?: readonly TypedObject[]
  /** The search for such objects ended at its limit. */
  readonly partial?: true
  readonly timers: readonly ArmedTimer[]
  /** Ordinal of the next timer. */
  readonly nextOrdinal: number
  /** How many segments of app code the living actors have run: the counters of anchors. */
  readonly leaves: readonly CodeCounts[]
  /** Number of uses of each path so far, so that later actors get the same names. */
  readonly names: Readonly<Record<string, number>>
  /** Paths of running actors that no parent references anymore: these cannot be restored. */
  readonly unreachable: readonly string[]
}

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

/** Event type of a placeholder record. */
export const LOST = 'chartroom.lost'

export function lostActor(index: number): ActorEntry {
  return { line: 'actor', index, path: `lost-${index}`, kind: 'other', src: LOST }
}

export function lostStimulus(seq: number): Stimulus {
  return { line: 'stimulus', seq, t: 0, kind: 'external', to: 0, event: { type: LOST } }
}

/** It has the time of the step before it. */
export function lostStep(seq: number, before: StepRecord | undefined): StepRecord {
  return {
    line: 'step',
    seq,
    t: before?.t ?? 0,
    actor: before?.actor ?? 0,
    event: { type: LOST },
    cause: before?.cause ?? -1,
    status: 'active',
    changed: false,
  }
}
