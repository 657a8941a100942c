// The trace format: what a recording of an actor system consists of, as plain data.
import type { EventSchemas } from './payload-schema.ts'

/** The version this build writes. A file with a higher one is refused by name. */
export const FORMAT_VERSION = 2

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
 * Code of the app that runs in the midst of a step: a leaf's start or n-th transition, a machine's n-th custom
 * action, the listeners of an actor's n-th snapshot or n-th emitted event.
 */
export type Phase = 'start' | 'transition' | 'action' | 'snapshot' | 'emit'

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

/** The counters of an actor that is not at its beginning, by phase. */
export interface CodeCounts {
  readonly actor: number
  readonly transitions: number
  readonly actions?: number
  readonly snapshots?: number
  readonly emits?: number
}

/** A timer that was armed when a keyframe was taken. */
export interface ArmedTimer {
  readonly ordinal: number
  /** Actor indices. */
  readonly source: number
  readonly target: number
  readonly event: unknown
  readonly delay: number
  /** How much of the delay was left, in milliseconds. */
  readonly left?: number
  readonly id: string
}

/**
 * The whole state of the system between two steps; everything needed to go on from there. A recording that was
 * started on a running system begins with one, and further ones may stand between its steps.
 */
export interface KeyframeRecord {
  readonly line: 'keyframe'
  /** `seq` of the stimulus that comes next; 0 where the recording begins with it. */
  readonly at: number
  /** How many views stand before it, and how many readings of the tape. */
  readonly views: number
  readonly tape: number
  /** How many actors there had been; they are the first ones of the table. */
  readonly actors: number
  /** Indices of those in the snapshot, parents before their children; absent where they are all that there had been. */
  readonly tree?: readonly number[]
  /** Persisted snapshot of the root with all its children. */
  readonly snapshot: unknown
  readonly timers: readonly ArmedTimer[]
  /** Ordinal of the next timer to be armed. */
  readonly nextOrdinal: number
  /** How many stretches of the app's code the living actors have run: the counters of anchors. */
  readonly leaves: readonly CodeCounts[]
  /** How often each path was given so far, so that later actors get the same names. */
  readonly names: Readonly<Record<string, number>>
  /** Paths of running actors that no parent holds any more: these cannot be restored. */
  readonly unreachable: readonly string[]
}

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

/** Last line of a file that was closed in order; its absence means that the file was cut short. */
export interface EndRecord {
  readonly line: 'end'
  readonly stimuli: number
  readonly views: number
}

/** A machine's structure: enough to draw it and to tell whether it changed. */
export interface MachineChart {
  readonly id: string
  readonly hash: string
  readonly root: ChartState
  /** 2: it tells re-entering, kinds of history and delays, and its hash goes by them. Absent in older files. */
  readonly revision?: 2
  /** What its events carry, where the machine says so. */
  readonly events?: EventSchemas
}

export interface ChartState {
  /** Path from the machine's root, joined with dots; empty for the root. */
  readonly path: string
  readonly key: string
  readonly type: 'atomic' | 'compound' | 'parallel' | 'final' | 'history'
  readonly initial?: string
  /** Of a history state: whether it brings back all levels or its own alone. */
  readonly history?: 'shallow' | 'deep'
  /** Of a history state: paths of where it leads at first, if not to where its parent begins. */
  readonly fallback?: readonly string[]
  readonly states: readonly ChartState[]
  readonly transitions: readonly ChartTransition[]
  readonly entry: readonly string[]
  readonly exit: readonly string[]
  readonly invoke: readonly { readonly id: string; readonly src: string }[]
  readonly tags: readonly string[]
  readonly description?: string
}

export interface ChartTransition {
  /** Event descriptor, `after <delay>`, `always`, `done <src>` or `error <src>`. */
  readonly event: string
  /** Paths of the targets; empty for a transition without a target. */
  readonly targets: readonly string[]
  readonly guard?: string
  readonly actions: readonly string[]
  /** It leaves and enters its state anew, also where it leads to itself or inwards. */
  readonly reenter?: true
  /** Milliseconds of an `after`; absent where code tells them when the time comes. */
  readonly delay?: number
  readonly description?: string
}

/** Something wrong with a file, told so that it can be found and mended. */
export interface Damage {
  /** Line number, counted from 1. */
  readonly atLine: number
  readonly message: string
}

/** What the console and the tools read; a live recording and an opened file look alike. */
export interface TraceSource {
  readonly live: boolean
  readonly header: TraceHeader
  /** Append-only. */
  readonly actors: readonly ActorEntry[]
  /** Append-only. */
  readonly stimuli: readonly Stimulus[]
  /** Append-only, causes before their effects; `seq` is the index. */
  readonly views: readonly ViewRecord[]
  readonly damage: readonly Damage[]
  /** Grows with every append; cheap to compare. */
  version(): number
  /** Calls back after appends, at most once per task; returns the unsubscribe function. */
  subscribe(listener: () => void): () => void
  /** By how much the numbers of views went down because the oldest were let go; new lists stand in their place then. */
  readonly dropped?: number
  /** The lists as far as they are ready, with at most so many more of each made ready; reading them makes all so. */
  portion?(most: number): TracePortion
}

/** Some of a trace: lists that grow with the next portion. */
export interface TracePortion extends Pick<TraceSource, 'actors' | 'stimuli' | 'views'> {
  readonly isWhole: boolean
  /** How many views there are, ready or not, as far as that is known. */
  readonly size: number
}

/** A trace with everything that a replay needs; what a file decodes to and what a recorder holds. */
export interface ReplayableTrace extends TraceSource {
  readonly tape: readonly TapeEntry[]
  readonly bookmarks: readonly BookmarkRecord[]
  readonly hashes: readonly HashRecord[]
  /** In the order of `at`. The first one has `at` 0 when the recording was started on a running system. */
  readonly keyframes: readonly KeyframeRecord[]
  /** Counts from the last line; absent in a live recording and in a file that was cut short. */
  readonly end?: EndRecord | undefined
}

/**
 * Any line of a file. They stand in the order of happening: an actor before the first record that names it, a
 * reading of the tape before the step that took it, a keyframe between two steps.
 */
export type TraceRecord =
  | TraceHeader
  | ActorEntry
  | Stimulus
  | TapeEntry
  | ViewRecord
  | KeyframeRecord
  | HashRecord
  | BookmarkRecord
  | EndRecord
