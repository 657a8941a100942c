// Control of the shown system as React state, released when the console closes; and faults of the embedded
// backend.
import { useCallback, useEffect, useMemo, useReducer, useState, useSyncExternalStore } from 'react'
import { type ControlState, type BackendPlan, createBackendFaults } from '../../../services/control/index.ts'
import { repeat } from '../../../services/runtime/index.ts'
import type { ActorEntry, MachineChart, TraceSource } from '../../../trace/index.ts'
import { driven, type Driven, type DrivenBy } from './driven.ts'
import { useInterval } from '../../widgets/time.ts'
import { useLoaded } from '../../widgets/use-promise.ts'
import { messageOf } from '../text.ts'

/** A controllable system and its control state. */
export interface Drive {
  readonly control: Driven
  readonly state: ControlState
}

/** Position of the console and the data its tabs need. */
export interface DrivePlace {
  /** Actors of the shown trace. */
  readonly actors: readonly ActorEntry[]
  readonly charts: Readonly<Record<string, MachineChart>>
  /** Index of the selected actor. */
  readonly actor: number
  /** Source of example events and results; in a sandbox, the recording it branched from. */
  readonly examples: TraceSource
  readonly isSandbox: boolean
  /** The state to find a path to; a new object for each request. */
  readonly goal: { readonly state: string } | undefined
}

const nobody = () => () => undefined
const nothing = () => undefined

/** Undefined if there is nothing to control, or while it loads. `failure`: why it could not be loaded. */
export function useDrive(handle: DrivenBy | undefined): {
  readonly drive: Drive | undefined
  readonly failure: string | undefined
} {
  const load = useMemo(() => handle && (() => handle.open()), [handle])
  const result = useLoaded(load)
  const opened = result?.load === load ? result : undefined
  const control = useMemo(() => opened?.value && driven(opened.value), [opened])
  useEffect(() => control?.attend(), [control])
  const subscribe = useMemo(() => (control ? paced(control.subscribe) : nobody), [control])
  const state = useSyncExternalStore<ControlState | undefined>(subscribe, control?.state ?? nothing)
  const drive = useMemo(() => (control && state ? { control, state } : undefined), [control, state])
  return { drive, failure: opened?.error === undefined ? undefined : messageOf(opened.error) }
}

/**
 * Notifies immediately of a change, so that a field shows what was just typed, and batches further ones in
 * the same frame.
 */
function paced(subscribe: Driven['subscribe']): Driven['subscribe'] {
  return listener => {
    let asked = 0
    let isMissed = false
    const onFrame = () => {
      asked = 0
      if (isMissed) notify()
    }
    const notify = () => {
      isMissed = false
      asked = requestAnimationFrame(onFrame)
      listener()
    }
    const unsubscribe = subscribe(() => {
      if (asked === 0) notify()
      else isMissed = true
    })
    return () => {
      unsubscribe()
      cancelAnimationFrame(asked)
    }
  }
}

const TICK_MS = 250

/** Rerenders four times a second, for countdowns. */
export function useTick(isOn: boolean): void {
  const [, tick] = useReducer((count: number) => count + 1, 0)
  useInterval(tick, isOn ? TICK_MS : undefined)
}

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
  useEffect(() => (asks ? repeat(() => void look(), LOOK_MS) : undefined), [asks, look])
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
