// Why the last attempt of a card was refused.
import { explainAuthFailure } from '../auth/explain.ts'
import { WaitNotice } from '../auth/wait-notice.tsx'
import { Notice } from '../shell/page.tsx'
import type { TaskState } from './task.ts'

/** @param props.of only attempts of these are told. */
export function TaskRefusal<Name extends string>(props: {
  readonly state: TaskState<Name>
  readonly of?: readonly Name[]
}) {
  const { state, of } = props
  if (state.phase !== 'refused' || of?.includes(state.task) === false) return null
  if (state.waitUntil !== undefined)
    return <WaitNotice text="Too many attempts, or too soon after the last one." until={state.waitUntil} />
  return <Notice tone="fail">{explainAuthFailure(state.failure)}</Notice>
}
