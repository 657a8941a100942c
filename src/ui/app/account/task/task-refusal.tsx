// The reason why the last attempt of a card was rejected.
import { FailureNotice } from '../../auth/failure-notice.tsx'
import type { TaskState } from '../../../../services/workbench/accounts/index.ts'

/** @param props.of limits the notice to these tasks. */
export function TaskRefusal<Name extends string>(props: {
  readonly state: TaskState<Name>
  readonly of?: readonly Name[]
}) {
  const { state, of } = props
  if (state.phase !== 'refused' || of?.includes(state.task) === false) return null
  return <FailureNotice failure={state.failure} waitUntil={state.waitUntil} />
}
