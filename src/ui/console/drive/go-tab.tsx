// The shortest path to a state: shown first, then run.
import { Footprints, Square } from 'lucide-react'
import { Button } from '../../widgets/button.tsx'
import { Chip } from '../../widgets/pill.tsx'
import { Select } from '../../widgets/select.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import type { Means, PathStep } from '../../../services/control/index.ts'
import { plural } from '../text.ts'
import type { DrivePlace } from './drive-panel.tsx'
import styles from './drive.module.css'
import { useGo, type Go } from './use-go.ts'
import type { Drive } from './use-drive.ts'

export function GoTab({ drive, place }: { readonly drive: Drive; readonly place: DrivePlace }) {
  const go = useGo(drive, place)
  if (!go.target) {
    return (
      <EmptyState icon={<Footprints size={20} aria-hidden />} title="No running machine with states">
        Start one to go to its states.
      </EmptyState>
    )
  }
  return (
    <div className={styles.pane}>
      <Select
        label="Actor"
        options={go.targets.map(path => ({ id: path, label: path }))}
        value={go.target}
        onChange={go.aim}
      />
      <p className={styles.faint}>
        Current: <code>{go.now || 'none'}</code>
      </p>
      <Select
        label="Go to state"
        options={go.states.map(path => ({ id: path, label: path }))}
        value={go.goal || null}
        onChange={go.choose}
      />
      {go.goal === '' ? null : <Way go={go} />}
    </div>
  )
}

function Way({ go }: { readonly go: Go }) {
  const { steps, running, taken } = go
  if (!steps) return <p role="status">No path to {go.goal} from here.</p>
  if (steps.length === 0) return <p role="status">{taken ? 'Reached.' : 'Already in this state.'}</p>
  const byHand = steps.filter(({ means }) => means === 'send' || means === 'timer').length
  return (
    <>
      <ol className={styles.list} aria-label={`Path to ${go.goal}`}>
        {steps.map((step, at) => (
          <StepRow key={step.name} step={step} isNow={running === at} isOver={at < (running ?? 0)} />
        ))}
      </ol>
      <div className={styles.controls}>
        {running === undefined ? (
          <Button variant="primary" size="s" icon={<Footprints size={13} aria-hidden />} onPress={go.take}>
            Go to state
          </Button>
        ) : (
          <Button size="s" icon={<Square size={12} aria-hidden />} onPress={go.stop}>
            Stop
          </Button>
        )}
        <span className={styles.faint}>
          {plural(steps.length, 'step')}, {byHand} manual
        </span>
      </div>
      <p role="status" className={styles.outcome}>
        {taken === undefined ? '' : taken.outcome === 'there' ? 'Reached.' : `Stopped: ${taken.reason}.`}
      </p>
    </>
  )
}

const MEANS: Readonly<Record<Means, string>> = {
  send: 'sent',
  timer: 'timer fired',
  effect: 'waits for effect',
  itself: 'automatic',
}

function StepRow(props: { readonly step: PathStep; readonly isNow: boolean; readonly isOver: boolean }) {
  const { event, means, targets, guard } = props.step
  return (
    <li className={styles.row} data-holding={props.isNow || undefined}>
      <div className={styles.what}>
        <code>
          {event} → {targets.join(', ')}
        </code>
        {guard === undefined ? null : <span className={styles.who}>if {guard}</span>}
      </div>
      <Chip
        tone={props.isOver ? 'ok' : means === 'effect' ? 'pending' : 'neutral'}
        pending={means === 'effect'}
      >
        {props.isOver ? 'done' : MEANS[means]}
      </Chip>
    </li>
  )
}
