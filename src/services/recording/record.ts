// Records any XState system without changes to its logic or its actors.
import type { AnyActorLogic } from 'xstate'
import { describeWith } from '../runtime/index.ts'
import type { Recording } from './recording-types.ts'
import { recordUnwritten, type RecordOptions } from './unwritten-record.ts'
import { withFiles } from './with-files.ts'

/**
 * Creates an actor like `createActor(logic, options)` and records it from its first event. Behavior and
 * timing do not change; use `recording.actor` like any other actor.
 * @throws TypeError if `schemas` names an unknown machine or contains an invalid schema
 */
export function record<L extends AnyActorLogic>(logic: L, options: RecordOptions<L> = {}): Recording<L> {
  return withFiles(recordUnwritten(logic, options, describeWith(options.schemas)))
}
