// What the tap works with: where something happens, who takes it, and what comes again by itself.
import type { AnyActorRef } from 'xstate'
import { typeOf } from '../../trace/odd-event.ts'
import type { Phase } from '../../trace/format.ts'
import { messageOf } from '../../trace/values.ts'
import type { Environment } from '../system-parts.ts'
import type { Known, Registry } from './actor-registry.ts'
import type { Viewer } from './actor-viewer.ts'
import type { TraceLog } from './trace-log.ts'

/** Where in the app's code the system is. */
export interface Frame {
  readonly in: Known
  readonly phase: Phase
  readonly n: number
}

export interface StimulusTapOptions {
  readonly registry: Registry
  /** Absent where nobody looks: then no views are made. */
  readonly viewer: Viewer | undefined
  /** What machine code reads time and random values from. */
  readonly env: Environment
  /** The log to write to at this moment. */
  readonly log: () => TraceLog
  readonly now: () => number
  /** Called between two steps. */
  readonly rest: () => void
  /** Called after the first start. */
  readonly started: () => void
}

/** The part of a root that is not in XState's types (5.33). */
export interface InnerRoot {
  start: () => AnyActorRef
  _stop: () => AnyActorRef
}

/** What is said of a recording that lacks something. */
export function couldNotRecord(error: unknown): string {
  return `a step could not be recorded: ${messageOf(error)}`
}

/** Also one that was stopped before it was started, of which nobody is told. */
export function hasEnded({ ref }: Known): boolean {
  return !ref || (ref as { readonly _processingStatus?: number })._processingStatus === 2
}

/** Events that XState makes of what a leaf did; they come again by themselves. */
const DERIVED = /^xstate\.(?:(?:done|error)\.actor|snapshot)\./

/** Whether an event enters the system with this: from outside, or from a leaf. */
export function isStimulus(from: Known | undefined, event: unknown): boolean {
  return !from || (from.leaf && !DERIVED.test(typeOf(event) ?? ''))
}
