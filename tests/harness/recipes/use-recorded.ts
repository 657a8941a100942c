// Recipe of docs/guide/recipes.md: a hook in place of `useMachine` and `useActor`.
import { useSelector } from '@xstate/react'
import { useEffect, useRef, useState } from 'react'
import type { AnyActorLogic, SnapshotFrom } from 'xstate'
import { record, type RecordOptions } from '../../../src/public/replay.ts'

/** Like `useActor(logic, options)`, and records the actor: [snapshot, send, recording]. */
export function useRecorded<L extends AnyActorLogic>(logic: L, options?: RecordOptions<L>) {
  // As in `useActor`, a later logic has no effect.
  const [recording] = useState(() => record(logic, options))
  const stopping = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    // StrictMode removes each component and adds it again at once: then the actor just continues.
    clearTimeout(stopping.current)
    recording.start()
    return () => {
      stopping.current = setTimeout(recording.stop)
    }
  }, [recording])
  const snapshot = useSelector(recording.actor, (now: SnapshotFrom<L>) => now)
  return [snapshot, recording.actor.send, recording] as const
}
