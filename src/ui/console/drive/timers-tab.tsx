// Running timers, each of which can be fired or skipped, and the system's clock.
import { FastForward, Pause, Play, Timer } from 'lucide-react'
import type { ArmedTimer } from '../../../services/control/index.ts'
import { Button, IconButton } from '../../widgets/button.tsx'
import { Select } from '../../widgets/select.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import styles from './drive.module.css'
import { useTick, type Drive } from './use-drive.ts'
import { aheadText, leftTime, speedText, timerText } from './format-timer.ts'

const SPEEDS = [0.1, 0.5, 1, 2, 10, 100].map(speed => ({ id: String(speed), label: speedText(speed) }))

export function TimersTab({ drive }: { readonly drive: Drive }) {
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
