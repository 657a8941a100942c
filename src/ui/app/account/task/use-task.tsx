// Sends one request at a time to the auth server, tracks its outcome, and shows why it was rejected.
import { useCallback, useEffect, useReducer, useRef } from 'react'
import type { ChartroomClient } from '../../../../services/client/index.ts'
import { useClient } from '../../../react/index.ts'
import type { Called } from '../../../../services/workbench/auth/index.ts'
import {
  RESTING,
  taskChart,
  type TaskEvent,
  type TaskState,
} from '../../../../services/workbench/accounts/index.ts'
import { FailureNotice } from '../../auth/failure-notice.tsx'

export interface Tasks<Name extends string> {
  readonly state: TaskState<Name>
  readonly isRunning: (task?: Name) => boolean
  /** Resolves to the response; undefined if it was rejected or another task is running. */
  readonly run: <T>(
    task: Name,
    call: (client: ChartroomClient) => Promise<Called<T>>,
  ) => Promise<T | undefined>
  readonly forget: () => void
}

export const useTask = <Name extends string>(): Tasks<Name> => {
  const client = useClient()
  const [state, dispatch] = useReducer(
    (before: TaskState<Name>, event: TaskEvent<Name>): TaskState<Name> => taskChart(before, event),
    RESTING,
  )
  const isBusy = useRef(false)
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  const run: Tasks<Name>['run'] = async (task, call) => {
    if (isBusy.current) return undefined
    isBusy.current = true
    dispatch({ type: 'task.start', task })
    const called = await call(client)
    isBusy.current = false
    if (!isHere.current) return called.ok ? called.value : undefined
    if (called.ok) dispatch({ type: 'task.done' })
    else dispatch({ type: 'task.refused', failure: called.failure, at: client.now() })
    return called.ok ? called.value : undefined
  }
  return {
    state,
    isRunning: task => state.phase === 'running' && (task === undefined || state.task === task),
    run,
    forget: useCallback(() => dispatch({ type: 'task.forget' }), []),
  }
}

/** @param props.of limits the notice to these tasks. */
export function TaskRefusal<Name extends string>(props: {
  readonly state: TaskState<Name>
  readonly of?: readonly Name[]
}) {
  const { state, of } = props
  if (state.phase !== 'refused' || of?.includes(state.task) === false) return null
  return <FailureNotice failure={state.failure} waitUntil={state.waitUntil} />
}
