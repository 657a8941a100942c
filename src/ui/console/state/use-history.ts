// The history of a value as React state: updates while it is searched and as the trace grows.
import { useEffect, useMemo, useReducer, useRef } from 'react'
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
  const wanted = useRef<AbortSignal>(undefined)
  useEffect(() => {
    const controller = new AbortController()
    wanted.current = controller.signal
    return () => controller.abort()
  }, [history])
  useEffect(() => {
    if (wanted.current) void history.look(renew, frame, wanted.current)
  }, [history, size])
  return { history, version, renew }
}

/** Waits for the next frame. */
const frame = (): Promise<number> => new Promise(resolve => requestAnimationFrame(resolve))
