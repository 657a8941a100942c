// The selected step: its event, its changes, its actor afterwards, its cause, and the history of a value.
import { memo, useState } from 'react'
import { Tabs } from '../../widgets/tabs.tsx'
import { useStep } from '../model/use-detail.ts'
import { useConsole } from '../use-console.ts'
import { useCommands } from '../commands/use-commands.ts'
import { CauseView } from './cause-view.tsx'
import { compareCommands } from './compare-commands.ts'
import { ContextView } from './context-view.tsx'
import { DiffView } from './diff-view.tsx'
import { EventView } from './event-view.tsx'
import { NoStep } from './no-step.tsx'
import { PinStrip } from './pin-strip.tsx'
import styles from './state.module.css'
import { WhenView } from './when-view.tsx'

export interface InspectorProps {
  /** Number of the view; -1 for none. */
  readonly seq: number
  readonly onSelect: (seq: number) => void
}

/** The open tab is part of the place. */
export const Inspector = memo(function Inspector({ seq, onSelect }: InspectorProps) {
  const { details, timeline, place, go, pick } = useConsole()
  useCommands(compareCommands({ marks: place.marks, go, pick }))
  const { record, before } = useStep(details, seq, timeline.previous(seq))
  const open = (inspector: string) => go({ type: 'layout', layout: { inspector } })
  const [when, setWhen] = useState('/state')
  const askWhen = (pointer: string) => {
    setWhen(pointer)
    open('when')
  }
  const askWhenOf = (actor: number, pointer: string) => {
    if (actor >= 0) go({ type: 'actor', actor })
    askWhen(pointer)
  }
  const pins = <PinStrip onWhen={askWhenOf} />
  if (!record) {
    return (
      <section className={styles.inspector} aria-label="Inspector">
        {pins}
        <NoStep />
      </section>
    )
  }
  const items = [
    { id: 'event', title: 'Event', content: <EventView record={record} /> },
    { id: 'diff', title: 'Diff', content: <DiffView record={record} before={before} onWhen={askWhen} /> },
    {
      id: 'context',
      title: 'Context',
      content: <ContextView record={record} before={before} onWhen={askWhen} />,
    },
    {
      id: 'cause',
      title: 'Cause',
      content: <CauseView seq={record.seq} timeline={timeline} onSelect={onSelect} />,
    },
    {
      id: 'when',
      title: 'History',
      content: <WhenView actor={record.actor} pointer={when} onPointer={setWhen} />,
    },
  ]
  const isKnown = items.some(({ id }) => id === place.layout.inspector)
  return (
    <section className={styles.inspector} aria-label="Inspector">
      {pins}
      <div className={styles.tabs}>
        <Tabs
          label="Selected event"
          items={items}
          selected={isKnown ? place.layout.inspector : 'diff'}
          onSelect={open}
        />
      </div>
    </section>
  )
})
