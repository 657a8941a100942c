// Recipe of docs/guide/recipes.md: a context in place of `createActorContext`.
import { useSelector } from '@xstate/react'
import { createContext, use, type ReactNode } from 'react'
import type { Actor, AnyActorLogic, SnapshotFrom } from 'xstate'

/** Like `createActorContext(logic)`, for an actor that was made by `record(logic)` or `attach(logic)`. */
export function createRecordedContext<L extends AnyActorLogic>() {
  const Context = createContext<Actor<L> | undefined>(undefined)
  const useActorRef = () => {
    const actor = use(Context)
    if (!actor) throw new Error('There is no provider around this component.')
    return actor
  }
  return {
    Provider: ({ actor, children }: { readonly actor: Actor<L>; readonly children: ReactNode }) => (
      <Context value={actor}>{children}</Context>
    ),
    useActorRef,
    useSelector: <T,>(select: (snapshot: SnapshotFrom<L>) => T) => useSelector(useActorRef(), select),
  }
}
