// The expanded rows and the active row of a tree of values; independent of the value, so that stepping
// preserves it.
import { useCallback, useMemo, useState } from 'react'
import { namesOf } from './state-path.ts'

export interface TreeState {
  readonly chosen: ReadonlyMap<string, ReadonlyMap<string, boolean>>
  /** Pointer of the active row. */
  readonly current: string | undefined
  readonly setCurrent: (pointer: string) => void
  readonly open: (pointers: readonly string[], isOpen: boolean) => void
}

export function useTreeState(): TreeState {
  const [chosen, setChosen] = useState<TreeState['chosen']>(new Map())
  const [current, setCurrent] = useState<string>()
  const open = useCallback<TreeState['open']>((pointers, isOpen) => {
    setChosen(known => {
      const next = new Map(known)
      for (const pointer of pointers) {
        const parent = pointer.slice(0, pointer.lastIndexOf('/'))
        next.set(parent, new Map(next.get(parent)).set(namesOf(pointer).at(-1) ?? '', isOpen))
      }
      return next
    })
  }, [])
  return useMemo(() => ({ chosen, current, setCurrent, open }), [chosen, current, open])
}
