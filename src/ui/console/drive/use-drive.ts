// The control of the shown system as React state: opened with the console, let go when the console closes.
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { ControlState } from '../../../control.ts'
import { driven, type Driven, type DrivenBy } from './driven.ts'

/** A system that can be driven, and how it is being driven. */
export interface Drive {
  readonly control: Driven
  readonly state: ControlState
}

const nobody = () => () => undefined
const nothing = () => undefined

/** Nothing while there is nothing to drive, or it is still loaded. */
export function useDrive(handle: DrivenBy | undefined): Drive | undefined {
  const [control, setControl] = useState<Driven>()
  useEffect(() => {
    let isCurrent = true
    let leave = () => {}
    void handle?.open().then(found => {
      if (!isCurrent) return
      const opened = driven(found)
      leave = opened.attend()
      setControl(opened)
    })
    return () => {
      isCurrent = false
      setControl(undefined)
      leave()
    }
  }, [handle])
  const subscribe = useMemo(() => (control ? paced(control.subscribe) : nobody), [control])
  const state = useSyncExternalStore<ControlState | undefined>(subscribe, control?.state ?? nothing)
  return useMemo(() => (control && state ? { control, state } : undefined), [control, state])
}

/**
 * Tells of a change at once, so that a field shows what was just typed into it, and of those that follow in the same
 * frame together.
 */
function paced(subscribe: Driven['subscribe']): Driven['subscribe'] {
  return listener => {
    let asked = 0
    let isMissed = false
    const onFrame = () => {
      asked = 0
      if (isMissed) tell()
    }
    const tell = () => {
      isMissed = false
      asked = requestAnimationFrame(onFrame)
      listener()
    }
    const unsubscribe = subscribe(() => {
      if (asked === 0) tell()
      else isMissed = true
    })
    return () => {
      unsubscribe()
      cancelAnimationFrame(asked)
    }
  }
}

const TICK_MS = 250

/** Draws anew four times a second, for what counts down. */
export function useTick(isOn: boolean): void {
  const [, tick] = useState(0)
  const next = useCallback(() => tick(count => count + 1), [])
  useEffect(() => {
    if (!isOn) return
    const timer = setInterval(next, TICK_MS)
    return () => clearInterval(timer)
  }, [isOn, next])
}
