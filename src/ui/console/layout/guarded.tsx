// A view whose failure leaves the others as they are.
import type { ReactNode } from 'react'
import { Button } from '../../widgets/button.tsx'
import { ErrorBoundary, type FailureProps } from '../../widgets/error-boundary.tsx'
import { ErrorState } from '../../widgets/state.tsx'

type PartName = 'actor tree' | 'view' | 'selected event' | 'log'

const failed = (name: PartName) =>
  function Failed({ error, again }: FailureProps) {
    return (
      <ErrorState
        title={`The ${name} could not be shown`}
        action={<Button onPress={again}>Try again</Button>}
      >
        {error.message}. What is recorded is still there; should it stay so, load the page again.
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
