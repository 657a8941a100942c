// Everything that drives the system, one tab each.
import { useState } from 'react'
import type { MachineChart, TraceSource, ViewRecord } from '../../../trace/format.ts'
import { Tabs } from '../../widgets/tabs.tsx'
import type { Begun } from './begin-sandbox.ts'
import { BranchTab } from './branch-tab.tsx'
import { BreakpointsTab } from './breakpoints-tab.tsx'
import { EffectsTab } from './effects-tab.tsx'
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
  /** Where events and answers are looked up; of a sandbox the recording that it came from. */
  readonly examples: TraceSource
  readonly isSandbox: boolean
  /** The recording so far, as a file. */
  readonly download: () => Promise<Blob>
}

export interface DrivePanelProps {
  readonly drive: Drive
  readonly place: DrivePlace
  /** Absent where nothing can be branched. */
  readonly onBranch: ((begun: Begun) => void) | undefined
}

export function DrivePanel({ drive, place, onBranch }: DrivePanelProps) {
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
    ...(place.isSandbox
      ? []
      : [
          {
            id: 'faults',
            title: `Faults${count(state.faults.length)}`,
            content: <FaultsTab drive={drive} />,
          },
        ]),
    { id: 'effects', title: 'Effects', content: <EffectsTab drive={drive} place={place} /> },
    { id: 'go', title: 'Go to', content: <GoTab drive={drive} place={place} /> },
    ...(onBranch
      ? [{ id: 'branch', title: 'Branch', content: <BranchTab place={place} onBranch={onBranch} /> }]
      : []),
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
