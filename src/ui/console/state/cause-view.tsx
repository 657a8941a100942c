// Why the selected record happened and what it led to; each line jumps there.
import { CornerDownRight } from 'lucide-react'
import type { Timeline } from '../../../trace/timeline/timeline.ts'
import type { StimulusFacts } from '../../../trace/timeline/view-table.ts'
import { cx } from '../../widgets/cx.ts'
import { familyHue, shortPath } from '../actor-names.ts'
import { causeChain, stimulusLabel } from './cause-chain.ts'
import styles from './inspector.module.css'
import { clockTime, plural } from '../text.ts'

const EFFECTS_SHOWN = 50

export interface CauseViewProps {
  readonly seq: number
  readonly timeline: Timeline
  readonly onSelect: (seq: number) => void
}

/** The chain from outside down to the record, and its direct effects. */
export function CauseView({ seq, timeline, onSelect }: CauseViewProps) {
  const chain = causeChain(timeline, seq)
  const effects = timeline.effects(seq)
  const left = effects.length - EFFECTS_SHOWN
  return (
    <div className={styles.pane}>
      <h3 className={styles.label}>Why</h3>
      <ol className={styles.chain}>
        <li className={styles.origin}>
          {chain.cut ? 'The chain goes further back' : originText(timeline, seq, chain.stimulus)}
        </li>
        {chain.seqs.map(at => (
          <Step key={at} seq={at} timeline={timeline} current={at === seq} onSelect={onSelect} />
        ))}
      </ol>
      <h3 className={styles.label}>Led to</h3>
      {effects.length === 0 ? (
        <p className={styles.faint}>No event was sent while it was processed.</p>
      ) : null}
      <ol className={styles.chain}>
        {effects.slice(0, EFFECTS_SHOWN).map(at => (
          <Step key={at} seq={at} timeline={timeline} onSelect={onSelect} />
        ))}
      </ol>
      {left > 0 ? <p className={styles.faint}>and {plural(left, 'more event')}</p> : null}
    </div>
  )
}

function originText(timeline: Timeline, seq: number, stimulus: StimulusFacts | undefined): string {
  if (!stimulus)
    return timeline.cause(seq) < 0 ? 'The system started' : 'The trace does not hold what came before'
  const at = `at ${clockTime(stimulus.t)}`
  switch (stimulus.kind) {
    case 'external':
      return `The app sent it ${at}`
    case 'timer':
      return `A timer ran out ${at}`
    case 'stop':
      return `The system was stopped ${at}`
    case 'leaf':
      return `${stimulusLabel(timeline.actors, stimulus)} answered ${at}`
  }
}

interface StepProps {
  readonly seq: number
  readonly timeline: Timeline
  readonly current?: boolean
  readonly onSelect: (seq: number) => void
}

function Step({ seq, timeline, current = false, onSelect }: StepProps) {
  const entry = timeline.actors[timeline.actor(seq)]
  return (
    <li>
      <button
        type="button"
        className={cx(styles.step, current && styles.current)}
        aria-current={current ? 'step' : undefined}
        onClick={() => onSelect(seq)}
      >
        <CornerDownRight size={12} aria-hidden className={styles.corner} />
        <span className={styles.number}>#{seq}</span>
        <span style={entry && { color: familyHue(entry, timeline.actors) }}>
          {entry ? shortPath(entry) : '?'}
        </span>
        <span className={styles.type}>{timeline.type(seq)}</span>
      </button>
    </li>
  )
}
