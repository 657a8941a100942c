// The control panel, one tab per way to control the system.
import type { ArmedTimer } from '../../../services/control/index.ts'
import { Tabs, type TabItem } from '../../widgets/tabs.tsx'
import type { Begun, BranchPlace } from './begin-sandbox.ts'
import { BranchTab } from './branch-tab.tsx'
import { BreakpointsTab } from './breakpoints-tab.tsx'
import styles from './drive.module.css'
import { EffectsTab } from './effects-tab.tsx'
import { FaultsTab } from './faults-tab.tsx'
import { GoTab } from './go-tab.tsx'
import { SendTab } from './send-tab.tsx'
import { type BackendFaultsModel, type Drive, useTick, type DrivePlace } from './use-drive.ts'
import { ChevronsRight, Play, FastForward, Pause, Timer } from 'lucide-react'
import { Button, IconButton } from '../../widgets/button.tsx'
import { JsonTree } from '../state/json-tree.tsx'
import { count, plural } from '../text.ts'
import { Select } from '../../widgets/select.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import { aheadText, leftTime, speedText, timerText } from './format-timer.ts'

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

/** Maximum rows; the rest is counted. */
const SHOWN = 100

const KINDS = { external: 'from the app', leaf: 'from an effect', timer: 'timer' }

function HeldTab({ drive: { control, state } }: { readonly drive: Drive }) {
  const { hold, waiting, stale } = state
  const [next] = waiting
  return (
    <div className={styles.pane}>
      <p className={styles.outcome}>{hold?.text}</p>
      <div className={styles.controls}>
        <Button
          size="s"
          variant="primary"
          icon={<ChevronsRight size={14} aria-hidden />}
          isDisabled={!next}
          onPress={() => control.step()}
        >
          Step
        </Button>
        <Button size="s" icon={<Play size={13} aria-hidden />} onPress={() => control.release()}>
          Resume the system
        </Button>
      </div>
      <p className={styles.faint}>
        {waiting.length === 0
          ? 'No events waiting. App events, effect results and due timers will wait here.'
          : `${plural(waiting.length, 'event')} waiting; none are lost.`}
        {stale > 0 ? ` ${count(stale)} dropped: their sender or receiver had ended.` : ''}
      </p>
      {waiting.length === 0 ? null : (
        <ol className={styles.list} aria-label="Waiting">
          {waiting.slice(0, SHOWN).map(({ number, kind, to, from, event }) => (
            <li key={number} className={styles.row}>
              <div className={styles.what}>
                <code>{event.type}</code>
                <span className={styles.who}>
                  {KINDS[kind]}
                  {from === undefined || from === to ? '' : ` ${from}`} → {to}
                </span>
              </div>
            </li>
          ))}
        </ol>
      )}
      {waiting.length > SHOWN ? (
        <p className={styles.faint}>and {plural(waiting.length - SHOWN, 'more event')}</p>
      ) : null}
      {next ? <JsonTree value={next.event} label="Next event" /> : null}
    </div>
  )
}

const SPEEDS = [0.1, 0.5, 1, 2, 10, 100].map(speed => ({ id: String(speed), label: speedText(speed) }))

/** Running timers, each of which can be fired or skipped, and the system's clock. */
function TimersTab({ drive }: { readonly drive: Drive }) {
  const { control, state } = drive
  useTick(!state.hold && state.speed !== 0)
  const timers = control.timers()
  return (
    <div className={styles.pane}>
      <ClockLine drive={drive} isEmpty={timers.length === 0} />
      {timers.length === 0 ? (
        <EmptyState icon={<Timer size={20} aria-hidden />} title="No running timers">
          A timer appears here when a machine enters a state with a delay.
        </EmptyState>
      ) : (
        <ul className={styles.list} aria-label="Timers">
          {timers.map(timer => (
            <TimerRow key={timer.number} timer={timer} drive={drive} />
          ))}
        </ul>
      )}
    </div>
  )
}

function ClockLine({
  drive: { control, state },
  isEmpty,
}: {
  readonly drive: Drive
  readonly isEmpty: boolean
}) {
  const { time } = control
  const isPaused = state.speed === 0
  const off = aheadText(time.ahead)
  return (
    <div className={styles.controls} role="group" aria-label="Clock">
      <IconButton
        size="s"
        label={isPaused ? 'Resume clock' : 'Pause clock'}
        isOn={isPaused}
        onPress={() => time.setSpeed(isPaused ? 1 : 0)}
      >
        {isPaused ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
      </IconButton>
      <Button
        size="s"
        icon={<FastForward size={13} aria-hidden />}
        isDisabled={isEmpty}
        onPress={() => time.toNextDeadline()}
      >
        Next deadline
      </Button>
      <Select
        label="Clock speed"
        hideLabel
        options={SPEEDS}
        value={isPaused ? null : String(state.speed)}
        placeholder="paused"
        onChange={speed => time.setSpeed(Number(speed))}
      />
      <span className={styles.faint}>
        {state.hold ? 'clock: stopped while paused' : off || 'clock: real time'}
      </span>
      {off === '' ? null : (
        <Button size="s" variant="quiet" onPress={() => time.toReal()}>
          Sync
        </Button>
      )}
    </div>
  )
}

function TimerRow({ timer, drive }: { readonly timer: ArmedTimer; readonly drive: Drive }) {
  const { number, actor, to, delay, left, isDue } = timer
  const { time } = drive.control
  const text = timerText(timer)
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <code>{text}</code>
        <span className={styles.who}>{actor === to ? actor : `${actor} → ${to}`}</span>
        <progress
          className={styles.left}
          max={Math.max(1, delay)}
          value={Math.max(0, delay - left)}
          aria-label={`${text} of ${actor}`}
        />
      </div>
      <span className={styles.time}>{isDue ? 'due' : leftTime(left)}</span>
      <Button size="s" aria-label={`Fire ${text} of ${actor} now`} onPress={() => time.fire(number)}>
        Fire
      </Button>
      <Button
        size="s"
        variant="quiet"
        aria-label={`Skip ${text} of ${actor}`}
        onPress={() => time.skip(number)}
      >
        Skip
      </Button>
    </li>
  )
}
