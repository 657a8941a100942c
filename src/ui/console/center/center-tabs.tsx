// Tabs in the middle of the console: the selected actor's chart, and views of all actors over time.
import type { ReactNode } from 'react'
import { Tabs } from '../../widgets/tabs.tsx'
import { useCommands } from '../commands/use-commands.ts'
import { useChecksTabs } from '../checks/checks-tabs.tsx'
import { NetworkPane } from '../network/network-pane.tsx'
import { SequencePane } from '../sequence/sequence-pane.tsx'
import { TimelinePane } from '../timeline/timeline-pane.tsx'
import { useConsole } from '../use-console.ts'

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
