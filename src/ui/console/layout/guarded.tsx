// Wrappers of the console's views: an error boundary, and a place that follows slightly later.
import { type ReactNode, useDeferredValue } from 'react'
import { Button } from '../../widgets/button.tsx'
import { ErrorBoundary, type FailureProps } from '../../widgets/error-boundary.tsx'
import { ErrorState } from '../../widgets/state.tsx'
import { ConsoleContext, useConsole } from '../use-console.ts'

type PartName = 'actor tree' | 'view' | 'selected event' | 'log'

const failed = (name: PartName) =>
  function Failed({ error, again }: FailureProps) {
    return (
      <ErrorState
        title={`The ${name} could not be shown`}
        action={<Button onPress={again}>Try again</Button>}
      >
        {error.message}. The recording is not affected. If this happens again, reload the page.
      </ErrorState>
    )
  }

const FAILED = {
  'actor tree': failed('actor tree'),
  view: failed('view'),
  'selected event': failed('selected event'),
  log: failed('log'),
} as const

export function Guarded({ name, children }: { readonly name: PartName; readonly children: ReactNode }) {
  return <ErrorBoundary fallback={FAILED[name]}>{children}</ErrorBoundary>
}

/** `children` must be the same element while its meaning is the same, else each step renders it twice. */
export function DeferredConsole({ children }: { readonly children: ReactNode }) {
  const latest = useConsole()
  const late = useDeferredValue(latest)
  // Sequence numbers of one trace are meaningless in another.
  return <ConsoleContext value={late.timeline === latest.timeline ? late : latest}>{children}</ConsoleContext>
}
