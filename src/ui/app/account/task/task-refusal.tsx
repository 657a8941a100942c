// Why the last attempt of a card was refused.
import { FailureNotice } from '../../auth/wait-notice.tsx'
import type { TaskState } from './task.ts'

/** @param props.of only attempts of these are told. */
export function TaskRefusal<Name extends string>(props: {
  readonly state: TaskState<Name>
  readonly of?: readonly Name[]
}) {
  const { state, of } = props
  if (state.phase !== 'refused' || of?.includes(state.task) === false) return null
  return <FailureNotice failure={state.failure} waitUntil={state.waitUntil} />
}
