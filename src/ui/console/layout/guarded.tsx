// An error boundary per view: a failing view does not affect the others.
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
