// Recording any XState system: its logic as it is, wherever its actors come from and whatever they do.
import type { AnyActorLogic } from 'xstate'
import { describeWith } from '../given-schemas.ts'
import type { Recording } from './recording-types.ts'
import { recordUnwritten, type RecordOptions } from './unwritten-record.ts'
import { withFiles } from './with-files.ts'

export type { RecordOptions } from './unwritten-record.ts'

/**
 * Creates an actor as `createActor(logic, options)` does, and records it from its first event on. Nothing of its
 * behaviour or timing changes; `recording.actor` is used like any other actor.
 * @throws TypeError where `schemas` names a machine that is not there, or holds what is no schema
 */
export function record<L extends AnyActorLogic>(logic: L, options: RecordOptions<L> = {}): Recording<L> {
  return withFiles(recordUnwritten(logic, options, describeWith(options.schemas)))
}
