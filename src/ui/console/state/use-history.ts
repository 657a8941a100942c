// The history of a value as React state: renewed while it is looked through, and as the trace grows.
import { useEffect, useMemo, useReducer } from 'react'
import { useConsole } from '../use-console.ts'
import { ChangeHistory } from './change-history.ts'

/** `version` changes whenever there is more of it. */
export function useHistory(actor: number, pointer: string) {
  const { timeline, details, size } = useConsole()
  const [version, renew] = useReducer((count: number) => count + 1, 0)
  const history = useMemo(
    () => new ChangeHistory({ timeline, details, actor, pointer }),
    [timeline, details, actor, pointer],
  )
  const ended = useMemo(() => ({ of: history, controller: new AbortController() }), [history])
  useEffect(() => {
    void history.look(renew, frame, ended.controller.signal)
  }, [history, ended, size])
  useEffect(() => () => ended.controller.abort(), [ended])
  return { history, version, renew }
}

/** Lets the page draw. */
const frame = (): Promise<number> => new Promise(resolve => requestAnimationFrame(resolve))
