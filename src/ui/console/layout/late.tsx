// Views that follow the place a moment later, once each: what answers a key is drawn before them.
import { useDeferredValue, type ReactNode } from 'react'
import { ConsoleContext, useConsole } from '../use-console.ts'

/** `children` must be the same element for as long as they mean the same, else each step renders them twice. */
export function Late({ children }: { readonly children: ReactNode }) {
  const latest = useConsole()
  const late = useDeferredValue(latest)
  // Numbers of one trace mean nothing in another.
  return <ConsoleContext value={late.timeline === latest.timeline ? late : latest}>{children}</ConsoleContext>
}
