// The embedded backend's faults as React state; undefined for other backends.
import { useCallback, useEffect, useMemo, useState } from 'react'
import { type BackendPlan, createBackendFaults } from '../../../services/control/index.ts'
import { messageOf } from '../text.ts'

/** The backend's fault plan and functions to change it. */
export interface BackendFaultsModel {
  readonly plan: BackendPlan
  readonly problem: string | undefined
  readonly add: (fault: object) => void
  readonly clear: (id?: string) => void
}

const LOOK_MS = 2_000

/** @param isWatched polls the plan continuously; otherwise only while a fault is active */
export function useBackendFaults(isWatched: boolean): BackendFaultsModel | undefined {
  const faults = useMemo(() => createBackendFaults(), [])
  const [plan, setPlan] = useState<BackendPlan>()
  const [problem, setProblem] = useState<string>()
  const look = useCallback(() => faults.plan().then(setPlan), [faults])
  const asks = plan !== undefined && (isWatched || plan.faults.length > 0)
  useEffect(() => {
    if (isWatched) void look()
  }, [isWatched, look])
  useEffect(() => {
    if (!asks) return
    const timer = setInterval(() => void look(), LOOK_MS)
    return () => clearInterval(timer)
  }, [asks, look])
  return useMemo(() => {
    if (!plan) return undefined
    const then = (change: Promise<void>) => {
      setProblem(undefined)
      void change.catch((error: unknown) => setProblem(messageOf(error))).then(look)
    }
    return {
      plan,
      problem,
      add: fault => then(faults.add(fault)),
      clear: id => then(faults.clear(id)),
    }
  }, [plan, problem, faults, look])
}
