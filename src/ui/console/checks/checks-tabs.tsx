// The check and export tabs in the middle of the console; loaded when first selected.
import { lazy, Suspense, type ReactNode } from 'react'
import { VisuallyHidden } from 'react-aria-components'
import type { TabItem } from '../../widgets/tabs.tsx'
import { Skeleton } from '../../widgets/state.tsx'
import { failedOf } from './findings.ts'
import { useChecksContext } from './checks-context.ts'

const ChecksTab = lazy(() => import('./views.ts').then(({ ChecksTab: view }) => ({ default: view })))
const CoverageTab = lazy(() => import('./views.ts').then(({ CoverageTab: view }) => ({ default: view })))
const DivergenceTab = lazy(() => import('./views.ts').then(({ DivergenceTab: view }) => ({ default: view })))
const ExportTab = lazy(() => import('./views.ts').then(({ ExportTab: view }) => ({ default: view })))

const loaded = (title: string, view: ReactNode) => (
  <>
    <VisuallyHidden elementType="h2">{title}</VisuallyHidden>
    <Suspense fallback={<Skeleton rows={5} />}>{view}</Suspense>
  </>
)

/** Returns the tabs: Checks with the number of failures, Coverage, Replay and Export. */
export function useChecksTabs(): readonly TabItem[] {
  const { standing } = useChecksContext()
  const failed = failedOf(standing.results)
  return [
    {
      id: 'checks',
      title: failed === 0 ? 'Checks' : `Checks ${failed}`,
      content: loaded('Checks', <ChecksTab />),
    },
    { id: 'coverage', title: 'Coverage', content: loaded('Coverage', <CoverageTab />) },
    { id: 'divergence', title: 'Replay', content: loaded('Replay', <DivergenceTab />) },
    { id: 'export', title: 'Export', content: loaded('Export', <ExportTab />) },
  ]
}
