// The shortest path to a state: shown first, then run.
import { Footprints, Square } from 'lucide-react'
import { Button } from '../../widgets/button.tsx'
import { Chip } from '../../widgets/pill.tsx'
import { Select } from '../../widgets/select.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import { type Means, type PathStep, pathTo, type Taken } from '../../../services/control/index.ts'
import { plural } from '../text.ts'
import styles from './drive.module.css'
import type { Drive, DrivePlace } from './use-drive.ts'
import { useEffect, useMemo, useState } from 'react'
import { type MachineChart, stateLabel } from '../../../trace/index.ts'
import { statePaths } from './breakpoints-tab.tsx'
import { Job, useJobState } from '../job.ts'
import { examplesOf } from './payload.ts'

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

/** The path to a chosen state, and the progress along it. */
function useGo({ control }: Drive, { actors, charts, actor, examples, goal: wanted }: DrivePlace) {
  const [goal, setGoal] = useState(wanted?.state ?? '')
  const [asked, setAsked] = useState(wanted)
  const [chosen, setChosen] = useState<string>()
  if (wanted && asked !== wanted) {
    setAsked(wanted)
    setGoal(wanted.state)
    setChosen(undefined)
  }
  const [job] = useState(() => new Job<Taken>())
  useEffect(() => job.cancel, [job])
  const run = useJobState(job)
  const isGoing = run.phase === 'going'
  /** The path of the last run; stays visible while the system moves along it. */
  const [path, setPath] = useState<readonly PathStep[]>()
  const machines = control.actors().filter(({ kind, src }) => kind === 'machine' && hasStates(charts[src]))
  const named = (name: string | undefined) => machines.find(one => one.path === name)
  const living = named(chosen) ?? named(actors[actor]?.path) ?? machines[0]
  const target = living?.path ?? ''
  const chart = living && charts[living.src]
  const value = living?.value
  const state = stateLabel(value)
  // Each step creates a new object for the same state.
  const [kept, setKept] = useState({ state, value })
  if (kept.state !== state) setKept({ state, value })
  const from = kept.state === state ? kept.value : value
  const found = useMemo(
    () => (chart && goal !== '' ? pathTo(chart, from, goal) : undefined),
    [chart, from, goal],
  )
  return {
    target: chart ? target : undefined,
    targets: machines.map(one => one.path),
    aim(next: string) {
      job.cancel()
      setChosen(next)
      setGoal('')
    },
    now: state,
    states: statePaths(chart),
    goal,
    choose(next: string) {
      job.cancel()
      setGoal(next)
    },
    steps: isGoing ? path : found,
    running: isGoing ? (run.progress.step ?? 0) : undefined,
    taken: run.phase === 'done' ? run.last : undefined,
    stop: job.stop,
    take() {
      if (!found || !living) return
      setPath(found)
      const payloads = found.map(({ event }) => examplesOf(examples, living.src, event)[0] ?? {})
      job.run(({ report, onStop, signal }) => {
        const ending = new AbortController()
        const end = () => ending.abort()
        onStop(end)
        signal.addEventListener('abort', end, { once: true })
        return control.takeMeThere(target, found, {
          signal: ending.signal,
          onStep: step => report({ step }),
          payloads,
        })
      })
    },
  }
}

const hasStates = (chart: MachineChart | undefined): boolean => (chart?.root.states.length ?? 0) > 0

type Go = ReturnType<typeof useGo>
