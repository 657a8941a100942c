// The check and export tabs in the middle of the console; loaded when first selected.
import { lazy, Suspense, type ReactNode } from 'react'
import { VisuallyHidden } from 'react-aria-components'
import type { TabItem } from '../../widgets/tabs.tsx'
import { Skeleton } from '../../widgets/state.tsx'
import { failedOf } from './findings.ts'
import { useJudge } from './judge-context.ts'

const JudgeTab = lazy(() => import('./views.ts').then(({ JudgeTab: view }) => ({ default: view })))
const CoverageTab = lazy(() => import('./views.ts').then(({ CoverageTab: view }) => ({ default: view })))
const DivergenceTab = lazy(() => import('./views.ts').then(({ DivergenceTab: view }) => ({ default: view })))
const KeepTab = lazy(() => import('./views.ts').then(({ KeepTab: view }) => ({ default: view })))

const loaded = (title: string, view: ReactNode) => (
  <>
    <VisuallyHidden elementType="h2">{title}</VisuallyHidden>
    <Suspense fallback={<Skeleton rows={5} />}>{view}</Suspense>
  </>
)

/** Returns the tabs: Checks with the number of failures, Coverage, Replay and Export. */
export function useJudgeTabs(): readonly TabItem[] {
  const { standing } = useJudge()
  const failed = failedOf(standing.results)
  return [
    {
      id: 'judge',
      title: failed === 0 ? 'Checks' : `Checks ${failed}`,
      content: loaded('Checks', <JudgeTab />),
    },
    { id: 'coverage', title: 'Coverage', content: loaded('Coverage', <CoverageTab />) },
    { id: 'divergence', title: 'Replay', content: loaded('Replay', <DivergenceTab />) },
    { id: 'keep', title: 'Export', content: loaded('Export', <KeepTab />) },
  ]
}
