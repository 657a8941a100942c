// Types and helpers of the stimulus tap.
import type { AnyActorRef } from 'xstate'
import { messageOf, type Phase, typeOf } from '../../trace/index.ts'
import type { Environment } from '../runtime/index.ts'
import type { ActorRecord } from './actor-record.ts'
import type { Registry } from './actor-registry.ts'
import type { Viewer } from './actor-viewer.ts'
import type { LogSink } from './held-records.ts'

/** Position in the app's code. */
export interface Frame {
  readonly in: ActorRecord
  readonly phase: Phase
  readonly n: number
}

export interface StimulusTapOptions {
  readonly registry: Registry
  /** Absent if no steps are made. */
  readonly viewer: Viewer | undefined
  /** Time and random values for machine code. */
  readonly env: Environment
  /** Called before each step. */
  readonly prepare: () => void
  /** Returns the current log. */
  readonly log: () => LogSink
  readonly now: () => number
  /** Called between two steps. */
  readonly rest: () => void
  /** Called after the first start. */
  readonly started: () => void
  /** Called before the root stops between two steps. */
  readonly stopping: () => void
  /** Called when the root is started again after its end; runs that start. */
  readonly startedAgain: (start: () => void) => void
}

/** The part of a root that is missing in XState's types (5.33). */
export interface InnerRoot {
  start: () => AnyActorRef
  _stop: () => AnyActorRef
}

/** Builds the damage message for a step that could not be recorded. */
export function couldNotRecord(error: unknown): string {
  return `a step could not be recorded: ${messageOf(error)}`
}

/** Also true for an actor that was stopped before it was started, which XState does not report. */
export function hasEnded({ ref }: ActorRecord): boolean {
  return !ref || (ref as { readonly _processingStatus?: number })._processingStatus === 2
}

/** Events that XState derives from a leaf's actions; a replay produces them again. */
const DERIVED = /^xstate\.(?:(?:done|error)\.actor|snapshot)\./

/** Whether the event enters the system from outside or from a leaf. */
export function isStimulus(from: ActorRecord | undefined, event: unknown): boolean {
  return !from || (from.leaf && !DERIVED.test(typeOf(event) ?? ''))
}
