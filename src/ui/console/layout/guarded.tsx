// A view whose failure leaves the others as they are.
import type { ReactNode } from 'react'
import { ErrorBoundary } from '../../widgets/error-boundary.tsx'
import { ErrorState } from '../../widgets/state.tsx'

type PartName = 'actor tree' | 'chart' | 'selected event' | 'log'

const failed = (name: PartName) =>
  function Failed({ error }: { readonly error: Error }) {
    return <ErrorState title={`The ${name} could not be shown`}>{error.message}</ErrorState>
  }

const FAILED = {
  'actor tree': failed('actor tree'),
  chart: failed('chart'),
  'selected event': failed('selected event'),
  log: failed('log'),
} as const

export function Guarded({ name, children }: { readonly name: PartName; readonly children: ReactNode }) {
  return <ErrorBoundary fallback={FAILED[name]}>{children}</ErrorBoundary>
}
