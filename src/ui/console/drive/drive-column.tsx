// The drive panel, and in one column with it the selected event where there is no room for both.
import { memo, useDeferredValue, useState, type ReactNode } from 'react'
import { Tabs } from '../../widgets/tabs.tsx'
import { SHARED } from '../layout/arrangement.ts'
import { Guarded } from '../layout/guarded.tsx'
import { Late } from '../layout/late.tsx'
import { useGroupName } from '../layout/sized.tsx'
import { Inspector } from '../state/inspector.tsx'
import { useConsole } from '../use-console.ts'
import parts from '../canvas/parts.module.css'

export interface DriveColumnProps {
  /** Grows whenever somebody wants to see the drive panel. */
  readonly asked: number
  readonly children: ReactNode
}

/** By turns: whichever was asked for last. */
export function DriveColumn({ asked, children }: DriveColumnProps) {
  const { inspector } = useConsole().place.layout
  const [chosen, choose] = useState('drive')
  const [known, know] = useState({ asked, inspector })
  if (known.asked !== asked || known.inspector !== inspector) {
    know({ asked, inspector })
    choose(known.asked === asked ? 'event' : 'drive')
  }
  if (!useGroupName().includes(SHARED)) return children
  const items = [
    { id: 'event', title: 'Event', content: EVENT },
    { id: 'drive', title: 'Drive', content: children },
  ]
  return (
    <div className={parts.column}>
      <Tabs label="Beside the middle" items={items} selected={chosen} onSelect={choose} />
    </div>
  )
}

/** As in a column of its own. */
const Selected = memo(function Selected() {
  const { selection, pick } = useConsole()
  return <Inspector seq={useDeferredValue(selection.seq)} onSelect={pick} />
})

const EVENT = (
  <div data-pane="event" className={parts.column}>
    <Guarded name="selected event">
      <Late>
        <Selected />
      </Late>
    </Guarded>
  </div>
)
