// Why the selected record happened and what it led to; each line jumps there.
import { CornerDownRight } from 'lucide-react'
import type { Stimulus, TraceSource, ViewRecord } from '../../trace/format.ts'
import { cx } from '../widgets/cx.ts'
import { familyHue, shortPath } from './actor-names.ts'
import { causeChain, stimulusLabel } from './cause-chain.ts'
import styles from './inspector.module.css'
import { clockTime, plural } from './text.ts'
import type { TraceIndex } from './trace-index.ts'

const EFFECTS_SHOWN = 50

export interface CauseViewProps {
  readonly record: ViewRecord
  readonly index: TraceIndex
  readonly onSelect: (view: ViewRecord) => void
}

/** The chain from outside down to the record, and its direct effects. */
export function CauseView({ record, index, onSelect }: CauseViewProps) {
  const source = index.source
  const chain = causeChain(source, record)
  const effects = index.effects(record.seq)
  const left = effects.length - EFFECTS_SHOWN
  return (
    <div className={styles.pane}>
      <h3 className={styles.label}>Why</h3>
      <ol className={styles.chain}>
        <li className={styles.origin}>
          {chain.cut ? 'The chain goes further back' : originText(source, record, chain.stimulus)}
        </li>
        {chain.views.map(view => (
          <Step key={view.seq} view={view} source={source} current={view === record} onSelect={onSelect} />
        ))}
      </ol>
      <h3 className={styles.label}>Led to</h3>
      {effects.length === 0 ? (
        <p className={styles.faint}>No event was sent while it was processed.</p>
      ) : null}
      <ol className={styles.chain}>
        {effects.slice(0, EFFECTS_SHOWN).map(seq => {
          const view = source.views[seq]
          return view ? <Step key={seq} view={view} source={source} onSelect={onSelect} /> : null
        })}
      </ol>
      {left > 0 ? <p className={styles.faint}>and {plural(left, 'more event')}</p> : null}
    </div>
  )
}

function originText(source: TraceSource, record: ViewRecord, stimulus: Stimulus | undefined): string {
  if (!stimulus) return record.cause < 0 ? 'The system started' : 'The trace does not hold what came before'
  const at = `at ${clockTime(stimulus.t)}`
  switch (stimulus.kind) {
    case 'external':
      return `The app sent it ${at}`
    case 'timer':
      return `A timer ran out ${at}`
    case 'stop':
      return `The system was stopped ${at}`
    case 'leaf':
      return `${stimulusLabel(source, stimulus)} answered ${at}`
  }
}

interface StepProps {
  readonly view: ViewRecord
  readonly source: TraceSource
  readonly current?: boolean
  readonly onSelect: (view: ViewRecord) => void
}

function Step({ view, source, current = false, onSelect }: StepProps) {
  const entry = source.actors[view.actor]
  return (
    <li>
      <button
        type="button"
        className={cx(styles.step, current && styles.current)}
        aria-current={current ? 'step' : undefined}
        onClick={() => onSelect(view)}
      >
        <CornerDownRight size={12} aria-hidden className={styles.corner} />
        <span className={styles.number}>#{view.seq}</span>
        <span style={entry && { color: familyHue(entry, source.actors) }}>
          {entry ? shortPath(entry) : '?'}
        </span>
        <span className={styles.type}>{view.event.type}</span>
      </button>
    </li>
  )
}
