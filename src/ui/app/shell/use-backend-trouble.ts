// The trouble of the current client's backend, for everything that shows or reacts to it.
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { type BackendTrouble, backendHealthOf } from '../../../services/workbench/hosts/index.ts'
import { useClient } from '../../react/index.ts'

const nothing = () => () => undefined
const none = () => undefined

/** Undefined while the backend responds. */
export function useBackendTrouble(): BackendTrouble | undefined {
  const health = backendHealthOf(useClient())
  return useSyncExternalStore(health?.subscribe ?? nothing, health?.trouble ?? none)
}

/** Calls back each time the backend responds again. */
export function useRecovered(onRecovered: () => void): void {
  const health = backendHealthOf(useClient())
  const latest = useRef(onRecovered)
  useEffect(() => {
    latest.current = onRecovered
  })
  useEffect(() => health?.onRecovered(() => latest.current()), [health])
}
