// Whether the console has paused the shown system, selected from the state of its control.
import { useEffect, useState, useSyncExternalStore } from 'react'
import { driven, type Driven, type DrivenBy } from '../drive/driven.ts'

const never = () => () => undefined

/** False for systems that cannot be controlled, and while the control loads. */
export function useIsPaused(handle: Pick<DrivenBy, 'open'> | undefined): boolean {
  const [control, setControl] = useState<Driven>()
  useEffect(() => {
    let isCurrent = true
    void handle?.open().then(opened => {
      if (isCurrent) setControl(driven(opened))
    })
    return () => {
      isCurrent = false
      setControl(undefined)
    }
  }, [handle])
  return useSyncExternalStore(control?.subscribe ?? never, () => control?.state().hold !== undefined)
}
