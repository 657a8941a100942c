// Views that follow the place slightly later, so that the response to a key is drawn first.
import { useDeferredValue, type ReactNode } from 'react'
import { ConsoleContext, useConsole } from '../use-console.ts'

/** `children` must be the same element while its meaning is the same, else each step renders it twice. */
export function DeferredConsole({ children }: { readonly children: ReactNode }) {
  const latest = useConsole()
  const late = useDeferredValue(latest)
  // Sequence numbers of one trace are meaningless in another.
  return <ConsoleContext value={late.timeline === latest.timeline ? late : latest}>{children}</ConsoleContext>
}
