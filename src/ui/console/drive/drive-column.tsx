// The control panel, which shares its column with the selected event if there is no room for both.
import { memo, useDeferredValue, useState, type ReactNode } from 'react'
import { Tabs } from '../../widgets/tabs.tsx'
import { SHARED } from '../layout/arrangement.ts'
import { Guarded } from '../layout/guarded.tsx'
import { DeferredConsole } from '../layout/deferred-console.tsx'
import { useGroupName } from '../layout/sized.tsx'
import { Inspector } from '../state/inspector.tsx'
import type { Layout } from '../model/place.ts'
import { useConsole } from '../use-console.ts'
import parts from '../canvas/parts.module.css'

export interface DriveColumnProps {
  /** Increases whenever the control panel should be shown. */
  readonly asked: number
  readonly children: ReactNode
}

/** Shows whichever was requested last. */
export function DriveColumn({ asked, children }: DriveColumnProps) {
  const { layout } = useConsole().place
  const [chosen, choose] = useState('drive')
  const [known, know] = useState({ asked, layout })
  if (known.asked !== asked || known.layout !== layout) {
    know({ asked, layout })
    if (known.asked !== asked) choose('drive')
    else if (isForInspector(known.layout, layout)) choose('event')
  }
  if (!useGroupName().includes(SHARED)) return children
  const items = [
    { id: 'event', title: 'Event', content: EVENT },
    { id: 'drive', title: 'Control', content: children },
  ]
  return (
    <div className={parts.column}>
      <Tabs label="Side panel" items={items} selected={chosen} onSelect={choose} />
    </div>
  )
}

/** Whether a tab of the selected event was requested, even if it is already open. */
const isForInspector = (before: Layout, now: Layout): boolean =>
  Object.entries(before).every(([key, was]) => key === 'inspector' || was === now[key as keyof Layout])

/** The same content as in a separate column. */
const Selected = memo(function Selected() {
  const { selection, pick } = useConsole()
  return <Inspector seq={useDeferredValue(selection.seq)} onSelect={pick} />
})

const EVENT = (
  <div data-pane="event" className={parts.column}>
    <Guarded name="selected event">
      <DeferredConsole>
        <Selected />
      </DeferredConsole>
    </Guarded>
  </div>
)
