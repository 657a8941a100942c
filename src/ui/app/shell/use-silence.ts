// Detects an unreachable backend on any page: failed requests raise suspicion, a probe confirms it.
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { readHostSettings } from '../../../services/client/index.ts'
import { useClient } from '../../react/index.ts'
import { useRetry } from '../retry.ts'
import { hostMonitorOf } from '../../../services/workbench/hosts/index.ts'
import { useRouterIfThere } from '../lazy-router.ts'
import { useWorkspace } from '../workspace.tsx'

/** A backend that responded within this time is not probed. */
const LATELY_MS = 30_000

const nothing = () => () => undefined

/** True after two requests got no response; then probes the backend every few seconds until it responds. */
export function useSilence(): boolean {
  const client = useClient()
  const { url } = client
  const monitor = hostMonitorOf(client)
  const { active } = useWorkspace()
  const key = active?.key ?? ''
  const [failure, setFailure] = useState<object>()
  const isDoubtful = useSyncExternalStore(monitor?.subscribe ?? nothing, () => monitor?.isDoubtful() === true)
  const isHere = useRef(true)
  const look = useCallback(async () => {
    if (!monitor) return
    const result = await readHostSettings({ url, key }, { fetch: monitor.fetch })
    if (isHere.current) setFailure(result.ok || !monitor.isDoubtful() ? undefined : result.failure)
  }, [monitor, url, key])
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  useEffect(() => {
    if (isDoubtful) void look()
  }, [isDoubtful, look])
  useRetry('unreachable backend', isDoubtful ? failure : undefined, () => void look())
  const router = useRouterIfThere()
  const path = useSyncExternalStore(router?.history.subscribe ?? nothing, () => location.pathname)
  useEffect(() => {
    const ask = () => {
      if (monitor?.hasAnswered(LATELY_MS) === false) void look()
    }
    ask()
    window.addEventListener('focus', ask)
    return () => window.removeEventListener('focus', ask)
  }, [monitor, look, path])
  return isDoubtful && failure !== undefined
}
