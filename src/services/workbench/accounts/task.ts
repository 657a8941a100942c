// State chart for one request at a time: what is running, and the outcome of the last one.
import type { Failure } from '../../client/index.ts'
import { waitUntil } from '../auth/explain.ts'

export type TaskState<Name extends string> =
  | { readonly phase: 'resting' }
  | { readonly phase: 'running'; readonly task: Name }
  | {
      readonly phase: 'refused'
      readonly task: Name
      readonly failure: Failure
      /** Client time until which the server rejects further attempts. */
      readonly waitUntil: number | undefined
    }
  | { readonly phase: 'done'; readonly task: Name }

export type TaskEvent<Name extends string> =
  | { readonly type: 'task.start'; readonly task: Name }
  | { readonly type: 'task.done' }
  | { readonly type: 'task.refused'; readonly failure: Failure; readonly at: number }
  /** The message no longer applies to what is shown. */
  | { readonly type: 'task.forget' }

export const RESTING = { phase: 'resting' } as const

/** Returns the next state, or the same object if the event has no effect. */
export const taskChart = <Name extends string>(
  state: TaskState<Name>,
  event: TaskEvent<Name>,
): TaskState<Name> => {
  if (event.type === 'task.start')
    return state.phase === 'running' ? state : { phase: 'running', task: event.task }
  if (event.type === 'task.forget') return state.phase === 'running' ? state : RESTING
  if (state.phase !== 'running') return state
  const { task } = state
  if (event.type === 'task.done') return { phase: 'done', task }
  const { failure, at } = event
  return { phase: 'refused', task, failure, waitUntil: waitUntil(failure, at) }
}
