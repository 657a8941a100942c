// Everything that drives the system, one tab each.
import { useState } from 'react'
import type { MachineChart, TraceSource, ViewRecord } from '../../../trace/format.ts'
import { Tabs } from '../../widgets/tabs.tsx'
import { BreakpointsTab } from './breakpoints-tab.tsx'
import { FaultsTab } from './faults-tab.tsx'
import { GoTab } from './go-tab.tsx'
import { HeldTab } from './held-tab.tsx'
import { SendTab } from './send-tab.tsx'
import { TimersTab } from './timers-tab.tsx'
import type { Drive } from './use-drive.ts'

/** Where the console stands. */
export interface DrivePlace {
  readonly source: TraceSource
  readonly charts: Readonly<Record<string, MachineChart>>
  /** Index of the selected actor. */
  readonly actor: number
  /** Its record at the cursor. */
  readonly record: ViewRecord | undefined
}

export interface DrivePanelProps {
  readonly drive: Drive
  readonly place: DrivePlace
}

export function DrivePanel({ drive, place }: DrivePanelProps) {
  const [tab, setTab] = useState('send')
  const { state } = drive
  const count = (n: number) => (n === 0 ? '' : ` ${n}`)
  const items = [
    ...(state.hold
      ? [{ id: 'held', title: `Held${count(state.waiting.length)}`, content: <HeldTab drive={drive} /> }]
      : []),
    { id: 'send', title: 'Send', content: <SendTab drive={drive} place={place} /> },
    { id: 'timers', title: 'Timers', content: <TimersTab drive={drive} /> },
    {
      id: 'breakpoints',
      title: `Breakpoints${count(state.breakpoints.length)}`,
      content: <BreakpointsTab drive={drive} place={place} />,
    },
    { id: 'faults', title: `Faults${count(state.faults.length)}`, content: <FaultsTab drive={drive} /> },
    { id: 'go', title: 'Go to', content: <GoTab drive={drive} place={place} /> },
  ]
  return (
    <Tabs
      label="Drive"
      items={items}
      selected={tab === 'held' && !state.hold ? 'send' : tab}
      onSelect={setTab}
    />
  )
}
