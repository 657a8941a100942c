// Take me there: the shortest way to a state, shown before it is gone.
import { Footprints, Square } from 'lucide-react'
import { Button } from '../../widgets/button.tsx'
import { Chip } from '../../widgets/pill.tsx'
import { Select } from '../../widgets/select.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import type { Means, PathStep } from '../../../control.ts'
import { plural } from '../text.ts'
import type { DrivePlace } from './drive-panel.tsx'
import styles from './drive.module.css'
import { useGo, type Go } from './use-go.ts'
import type { Drive } from './use-drive.ts'

export function GoTab({ drive, place }: { readonly drive: Drive; readonly place: DrivePlace }) {
  const go = useGo(drive, place)
  if (!go.target) {
    return (
      <EmptyState icon={<Footprints size={20} aria-hidden />} title="No machine with states runs">
        As soon as one does, its states are what you can be taken to.
      </EmptyState>
    )
  }
  return (
    <div className={styles.pane}>
      <Select
        label="Of"
        options={go.targets.map(path => ({ id: path, label: path }))}
        value={go.target}
        onChange={go.aim}
      />
      <p className={styles.faint}>
        It is in <code>{go.now || 'no state'}</code>
      </p>
      <Select
        label="Take me to"
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
  if (!steps) return <p role="status">No way leads to {go.goal} from here.</p>
  if (steps.length === 0) return <p role="status">{taken ? 'There.' : 'It is there already.'}</p>
  const byHand = steps.filter(({ means }) => means === 'send' || means === 'timer').length
  return (
    <>
      <ol className={styles.list} aria-label={`The way to ${go.goal}`}>
        {steps.map((step, at) => (
          <StepRow key={step.name} step={step} isNow={running === at} isOver={at < (running ?? 0)} />
        ))}
      </ol>
      <div className={styles.controls}>
        {running === undefined ? (
          <Button variant="primary" size="s" icon={<Footprints size={13} aria-hidden />} onPress={go.take}>
            Take me there
          </Button>
        ) : (
          <Button size="s" icon={<Square size={12} aria-hidden />} onPress={go.stop}>
            Stop
          </Button>
        )}
        <span className={styles.faint}>
          {plural(steps.length, 'step')}, {byHand} of them by hand
        </span>
      </div>
      <p role="status" className={styles.outcome}>
        {taken === undefined ? '' : taken.outcome === 'there' ? 'There.' : `Stopped: ${taken.reason}.`}
      </p>
    </>
  )
}

const MEANS: Readonly<Record<Means, string>> = {
  send: 'sent',
  timer: 'timer fired',
  effect: 'waits for effect',
  itself: 'by itself',
}

function StepRow(props: { readonly step: PathStep; readonly isNow: boolean; readonly isOver: boolean }) {
  const { event, means, targets, guard } = props.step
  return (
    <li className={styles.row} data-holding={props.isNow || undefined}>
      <div className={styles.what}>
        <code>
          {event} → {targets.join(', ')}
        </code>
        {guard === undefined ? null : <span className={styles.who}>if {guard} allows it</span>}
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
