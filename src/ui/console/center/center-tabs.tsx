// Tabs in the middle of the console: the selected actor's chart, views of all actors over time, checks and
// exports.
import { type ComponentType, type ReactNode, lazy, Suspense } from 'react'
import { Tabs } from '../../widgets/tabs.tsx'
import { useCommands } from '../commands/use-commands.ts'
import { NetworkPane } from '../network/network-view.tsx'
import { SequencePane } from '../sequence/sequence-view.tsx'
import { TimelinePane } from '../timeline/timeline-view.tsx'
import { useChecks, useConsole } from '../use-console.ts'
import { VisuallyHidden } from 'react-aria-components'
import { Skeleton } from '../../widgets/state.tsx'
import { failedOf } from '../checks/findings.ts'
import type { ChecksState } from '../checks/trace-checks.ts'

interface CenterTab {
  readonly id: string
  readonly title: string
  readonly startsGroup?: boolean
  /** Shown after the title, unless it is 0. */
  readonly count?: (checks: ChecksState) => number
  /** `chart` is the content of the first tab. */
  readonly render: (chart: ReactNode) => ReactNode
}

type LazyView = 'ChecksTab' | 'CoverageTab' | 'DivergenceTab' | 'ExportTab'

/** Renders a view whose code loads when it is first shown. */
const loaded = (title: string, name: LazyView) => {
  const View = lazy(async (): Promise<{ default: ComponentType }> => {
    const views = await import('../checks/views.ts')
    return { default: views[name] }
  })
  return () => (
    <>
      <VisuallyHidden elementType="h2">{title}</VisuallyHidden>
      <Suspense fallback={<Skeleton rows={5} />}>
        <View />
      </Suspense>
    </>
  )
}

const TABS: readonly CenterTab[] = [
  { id: 'chart', title: 'Chart', render: chart => chart },
  { id: 'sequence', title: 'Sequence', render: () => <SequencePane /> },
  { id: 'timeline', title: 'Timeline', render: () => <TimelinePane /> },
  { id: 'network', title: 'Network', render: () => <NetworkPane /> },
  {
    id: 'checks',
    title: 'Checks',
    startsGroup: true,
    count: ({ standing }) => failedOf(standing.results),
    render: loaded('Checks', 'ChecksTab'),
  },
  { id: 'coverage', title: 'Coverage', render: loaded('Coverage', 'CoverageTab') },
  { id: 'divergence', title: 'Replay', render: loaded('Replay', 'DivergenceTab') },
  { id: 'export', title: 'Export', render: loaded('Export', 'ExportTab') },
]

/** Only the selected tab is rendered. */
export function CenterTabs({ chart }: { readonly chart: ReactNode }) {
  const { place, go } = useConsole()
  const show = (center: string) => go({ type: 'layout', layout: { center } })
  useCommands(
    TABS.map(({ id, title }, at) => ({
      id: `view.${id}`,
      title: `Show: ${title}`,
      section: 'View',
      keys: [String(at + 1)],
      words: 'tab middle',
      run: () => show(id),
    })),
  )
  // As text, which is the same while the numbers are.
  const counts = useChecks(checks => TABS.map(({ count }) => count?.(checks) ?? 0).join(' ')).split(' ')
  const { center } = place.layout
  return (
    <Tabs
      label="Middle"
      items={TABS.map(({ title, render, ...tab }, at) => ({
        ...tab,
        title: counts[at] === '0' ? title : `${title} ${counts[at]}`,
        content: render(chart),
      }))}
      selected={TABS.some(({ id }) => id === center) ? center : 'chart'}
      onSelect={show}
    />
  )
}
