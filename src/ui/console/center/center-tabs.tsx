// Tabs in the middle of the console: the selected actor's chart, views of all actors over time, checks and
// exports.
import { type ReactNode, lazy, Suspense } from 'react'
import { Tabs, type TabItem } from '../../widgets/tabs.tsx'
import { useCommands } from '../commands/use-commands.ts'
import { NetworkPane } from '../network/network-view.tsx'
import { SequencePane } from '../sequence/sequence-view.tsx'
import { TimelinePane } from '../timeline/timeline-view.tsx'
import { useConsole } from '../use-console.ts'
import { VisuallyHidden } from 'react-aria-components'
import { Skeleton } from '../../widgets/state.tsx'
import { failedOf } from '../checks/findings.ts'
import { useChecksContext } from '../checks/checks-context.ts'

/** `chart` is the content of the first tab. Only the selected tab is rendered. */
export function CenterTabs({ chart }: { readonly chart: ReactNode }) {
  const { place, go } = useConsole()
  const checksTabs = useChecksTabs()
  const items = [
    { id: 'chart', title: 'Chart', content: chart },
    { id: 'sequence', title: 'Sequence', content: <SequencePane /> },
    { id: 'timeline', title: 'Timeline', content: <TimelinePane /> },
    { id: 'network', title: 'Network', content: <NetworkPane /> },
    ...checksTabs,
  ]
  useCommands(
    items.map(({ id, title }, at) => ({
      id: `view.${id}`,
      title: `Show: ${title}`,
      section: 'View',
      keys: [String(at + 1)],
      words: 'tab middle',
      run: () => go({ type: 'layout', layout: { center: id } }),
    })),
  )
  const known = items.some(({ id }) => id === place.layout.center)
  return (
    <Tabs
      label="Middle"
      items={items}
      selected={known ? place.layout.center : 'chart'}
      onSelect={center => go({ type: 'layout', layout: { center } })}
    />
  )
}

const ChecksTab = lazy(() => import('../checks/views.ts').then(({ ChecksTab: view }) => ({ default: view })))
const CoverageTab = lazy(() =>
  import('../checks/views.ts').then(({ CoverageTab: view }) => ({ default: view })),
)
const DivergenceTab = lazy(() =>
  import('../checks/views.ts').then(({ DivergenceTab: view }) => ({ default: view })),
)
const ExportTab = lazy(() => import('../checks/views.ts').then(({ ExportTab: view }) => ({ default: view })))

const loaded = (title: string, view: ReactNode) => (
  <>
    <VisuallyHidden elementType="h2">{title}</VisuallyHidden>
    <Suspense fallback={<Skeleton rows={5} />}>{view}</Suspense>
  </>
)

/** Returns the tabs: Checks with the number of failures, Coverage, Replay and Export. */
function useChecksTabs(): readonly TabItem[] {
  const { standing } = useChecksContext()
  const failed = failedOf(standing.results)
  return [
    {
      id: 'checks',
      title: failed === 0 ? 'Checks' : `Checks ${failed}`,
      startsGroup: true,
      content: loaded('Checks', <ChecksTab />),
    },
    { id: 'coverage', title: 'Coverage', content: loaded('Coverage', <CoverageTab />) },
    { id: 'divergence', title: 'Replay', content: loaded('Replay', <DivergenceTab />) },
    { id: 'export', title: 'Export', content: loaded('Export', <ExportTab />) },
  ]
}
