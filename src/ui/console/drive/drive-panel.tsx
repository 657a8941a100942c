// The control panel: one tab per way to control the system.
import type { ControlHandle } from '../../../services/control/index.ts'
import type { ActorEntry, MachineChart, TraceSource } from '../../../trace/index.ts'
import { Tabs, type TabItem } from '../../widgets/tabs.tsx'
import type { Begun, BranchPlace } from './begin-sandbox.ts'
import { BranchTab } from './branch-tab.tsx'
import { BreakpointsTab } from './breakpoints-tab.tsx'
import styles from './drive.module.css'
import { EffectsTab } from './effects-tab.tsx'
import { FaultsTab } from './faults-tab.tsx'
import { GoTab } from './go-tab.tsx'
import { HeldTab } from './held-tab.tsx'
import { SendTab } from './send-tab.tsx'
import { TimersTab } from './timers-tab.tsx'
import type { BackendFaultsModel } from './use-backend-faults.ts'
import type { Drive } from './use-drive.ts'

/** Position of the console and the data its tabs need. */
export interface DrivePlace {
  /** The live recording. */
  readonly source: TraceSource
  /** Actors of the shown trace. */
  readonly actors: readonly ActorEntry[]
  readonly charts: Readonly<Record<string, MachineChart>>
  /** Index of the selected actor. */
  readonly actor: number
  /** Source of example events and results; in a sandbox, the recording it branched from. */
  readonly examples: TraceSource
  readonly isSandbox: boolean
  /** The state to find a path to; a new object for each request. */
  readonly goal: { readonly state: string } | undefined
  /** Logic of the system, in addition to the logic known to every console. */
  readonly systems: ControlHandle['systems']
}

export interface DrivePanelProps {
  /** Undefined if no controllable system is running: then only branching from a file is possible. */
  readonly drive: Drive | undefined
  readonly place: DrivePlace
  readonly branch: BranchPlace
  /** Id of the shown tab. */
  readonly tab: string
  readonly onTab: (id: string) => void
  readonly backend: BackendFaultsModel | undefined
  readonly onBranch: (begun: Begun) => void
}

export function DrivePanel(props: DrivePanelProps) {
  const { tab, onTab } = props
  const items = tabsOf(props)
  // If the selected tab no longer exists, such as the one of a past pause, the first is shown.
  const selected = items.some(({ id }) => id === tab) ? tab : (items[0]?.id ?? '')
  return (
    <section className={styles.panel} aria-label="Control panel">
      <Tabs label="Control" items={items} selected={selected} onSelect={onTab} />
    </section>
  )
}

function tabsOf({ drive, place, branch, backend, onBranch }: DrivePanelProps): TabItem[] {
  const last = { id: 'branch', title: 'Branch', content: <BranchTab place={branch} onBranch={onBranch} /> }
  if (!drive) return [last]
  const { hold, waiting, breakpoints, faults } = drive.state
  const both = { drive, place }
  const wrong = faults.length + (backend?.plan.faults.length ?? 0)
  const all: readonly (TabItem | false | undefined)[] = [
    hold && { id: 'held', title: counted('Paused', waiting.length), content: <HeldTab drive={drive} /> },
    { id: 'send', title: 'Send', content: <SendTab {...both} /> },
    { id: 'timers', title: 'Timers', content: <TimersTab drive={drive} /> },
    {
      id: 'breaks',
      title: counted('Breakpoints', breakpoints.length),
      content: <BreakpointsTab {...both} />,
    },
    !place.isSandbox && {
      id: 'faults',
      title: counted('Faults', wrong),
      content: <FaultsTab drive={drive} backend={backend} />,
    },
    { id: 'effects', title: 'Effects', content: <EffectsTab {...both} /> },
    { id: 'go', title: 'Go to state', content: <GoTab {...both} /> },
    last,
  ]
  return all.filter(item => item !== undefined && item !== false)
}

const counted = (title: string, n: number): string => (n === 0 ? title : `${title} ${n}`)
