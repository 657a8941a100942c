// One thing at a time that is sent to the auth server, and what came of it.
import { useCallback, useEffect, useReducer, useRef } from 'react'
import type { ChartroomClient } from '../../../../index.ts'
import { useClient } from '../../../react.ts'
import type { Called } from '../../auth/call.ts'
import { RESTING, taskChart, type TaskEvent, type TaskState } from './task.ts'

export interface Tasks<Name extends string> {
  readonly state: TaskState<Name>
  readonly isRunning: (task?: Name) => boolean
  /** Gives what was answered; undefined when it was refused, or when something else is under way. */
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
