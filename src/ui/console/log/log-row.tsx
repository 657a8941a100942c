// Rows of the log, from the timeline alone: an event, or the head of a group.
import { Bookmark, ShieldAlert, Zap, ChevronRight } from 'lucide-react'
import { memo } from 'react'
import { type Timeline, countUpToNumber, shortPath } from '../../../trace/index.ts'
import { cx } from '../../widgets/cx.ts'
import { actorTitle, familyColor } from '../actor-names.ts'
import { changeAt } from '../state-change.ts'
import { clockTime, count, plural } from '../text.ts'
import { describeCause, describeOrigin } from '../state/cause-chain.ts'
import styles from './log.module.css'

export interface LogRowProps {
  readonly id: string
  readonly timeline: Timeline
  readonly seq: number
  readonly row: number
  readonly top: number
  readonly selected: boolean
  /** Whether it is after the shown moment. */
  readonly future: boolean
  /** What the actor is for. */
  readonly about: string | undefined
  /** In a tree; 2 in a group, and for a step that is folded into another one. */
  readonly level?: 1 | 2 | undefined
  /** How many steps are folded into it, and whether they are expanded. */
  readonly steps?: number | undefined
  readonly isOpen?: boolean | undefined
  /** Whether these steps are the same event again, and not its effects. */
  readonly isSeries?: boolean | undefined
  readonly note?: string | undefined
  /** `A`, `B` or both. */
  readonly mark?: string | undefined
  /** The failure found at it. */
  readonly finding?: string | undefined
}

export const LogRow = memo(function LogRow(props: LogRowProps) {
  const { id, timeline, seq, row, top, selected, future, about, level, steps = 0, isOpen } = props
  const actor = timeline.actor(seq)
  const entry = timeline.actors[actor]
  return (
    <div
      id={id}
      role="row"
      data-seq={seq}
      data-row={row}
      aria-rowindex={row + 2}
      aria-level={level}
      aria-expanded={steps > 0 ? isOpen : undefined}
      aria-selected={selected}
      className={cx(
        styles.row,
        level === 2 && styles.inner,
        level === 1 && steps === 0 && styles.leaf,
        selected && styles.selected,
        future && styles.future,
        !timeline.changed(seq) && styles.noop,
      )}
      style={{ top }}
    >
      <span role="gridcell" className={styles.seq}>
        {steps > 0 ? <Chevron isOpen={isOpen} /> : null}
        <RowMarks {...props} />
        {count(seq)}
      </span>
      <span role="gridcell" className={styles.time}>
        {clockTime(timeline.t(seq))}
      </span>
      <span role="gridcell" className={styles.actor} style={{ color: familyColor(timeline.family(actor)) }}>
        {entry ? <ActorPath path={shortPath(entry)} about={about} /> : `actor ${actor}`}
      </span>
      <span
        role="gridcell"
        className={cx(styles.event, timeline.failed(seq) && styles.failed)}
        title={timeline.type(seq)}
      >
        <span className={styles.type}>{timeline.type(seq)}</span>
        <Steps {...props} />
        <Fault id={timeline.injected(seq) ? timeline.faultOf(seq) : undefined} />
      </span>
      <span role="gridcell" className={styles.change}>
        <Change timeline={timeline} seq={seq} />
      </span>
      <span role="gridcell" className={styles.cause}>
        {describeCause(timeline, seq)}
      </span>
    </div>
  )
})

const Chevron = ({ isOpen = false }: Pick<LogRowProps, 'isOpen'>) => (
  <ChevronRight size={12} data-fold aria-hidden className={cx(styles.chevron, isOpen && styles.open)} />
)

/** How many steps are folded into an event; a click expands them. */
function Steps({ steps = 0, isSeries, isOpen }: LogRowProps) {
  if (steps === 0) return null
  const what =
    isSeries === true ? `${count(steps)} more without effect` : `${plural(steps, 'step')} that carry it out`
  return (
    <span data-fold className={styles.steps} title={`${isOpen === true ? 'Collapse' : 'Expand'} ${what}`}>
      {isSeries === true ? `+ ${count(steps)}` : `→ ${count(steps)}`}
      <span className={styles.unit}> {isSeries === true ? 'more' : steps === 1 ? 'step' : 'steps'}</span>
    </span>
  )
}

/** Icons next to the number: marks, notes, findings. */
function RowMarks({ note, mark, finding }: Pick<LogRowProps, 'note' | 'mark' | 'finding'>) {
  if (note === undefined && mark === undefined && finding === undefined) return null
  return (
    <span className={styles.marks}>
      {finding === undefined ? null : (
        <span title={finding} aria-label={`Failed: ${finding}`} role="img" className={styles.finding}>
          <ShieldAlert size={12} aria-hidden />
        </span>
      )}
      {mark === undefined ? null : (
        <span title={`Mark ${mark}`} aria-label={`Mark ${mark}`} role="img" className={styles.ab}>
          {mark}
        </span>
      )}
      {note === undefined ? null : (
        <span title={note} aria-label={`Bookmark: ${note}`} role="img" className={styles.mark}>
          <Bookmark size={11} aria-hidden />
        </span>
      )}
    </span>
  )
}

/** If there is little space, an actor's ancestors are cut before its own name. */
function ActorPath({ path, about }: { readonly path: string; readonly about?: string | undefined }) {
  const slash = path.lastIndexOf('/') + 1
  return (
    <span className={styles.path} title={actorTitle(path, about)}>
      {slash === 0 ? null : <span className={styles.above}>{path.slice(0, slash)}</span>}
      <span className={styles.own}>{path.slice(slash)}</span>
    </span>
  )
}

/** The injected fault that caused the event. */
function Fault({ id }: { readonly id: string | undefined }) {
  if (id === undefined) return null
  return (
    <span className={styles.fault} title={`Caused by fault ${id}`}>
      <Zap size={10} aria-hidden />
      {id}
    </span>
  )
}

function Change({ timeline, seq }: Pick<LogRowProps, 'timeline' | 'seq'>) {
  const status = timeline.status(seq)
  const ended = status === 'active' ? '' : status
  const [after, previous] = [timeline.state(seq), timeline.previous(seq)]
  if (after.value === undefined) return <span className={styles.same}>{ended}</span>
  const isSame = previous >= 0 && timeline.stateId(previous) === timeline.stateId(seq)
  const { from, to } = isSame ? { from: '', to: after.label } : changeAt(timeline, seq)
  return (
    <>
      {from === '' ? null : <span className={styles.from}>{from} → </span>}
      <span className={cx(from === '' && previous >= 0 && styles.same)}>{to}</span>
      {ended === '' ? null : <span className={styles.same}> · {ended}</span>}
    </>
  )
}

interface GroupRowProps {
  readonly id: string
  readonly timeline: Timeline
  readonly group: number
  /** Numbers of its first and last view. */
  readonly first: number
  readonly last: number
  /** Number of its events that are shown when expanded. */
  readonly size: number
  readonly isOpen: boolean
  /** Whether it is collapsed and contains the selected event. */
  readonly selected: boolean
  readonly row: number
  readonly top: number
}

export function GroupRow(props: GroupRowProps) {
  const { id, timeline, group, first, last, size, isOpen, selected, row, top } = props
  const actor = timeline.actor(first)
  const entry = timeline.actors[actor]
  const failed = countUpToNumber(timeline.failures, last) - countUpToNumber(timeline.failures, first - 1)
  const took = timeline.t(last) - timeline.t(first)
  return (
    <div
      id={id}
      role="row"
      data-group={group}
      data-row={row}
      aria-rowindex={row + 2}
      aria-level={1}
      aria-expanded={isOpen}
      aria-selected={selected}
      className={cx(styles.row, styles.group, selected && styles.selected)}
      style={{ top }}
    >
      <span role="gridcell" className={styles.seq}>
        <Chevron isOpen={isOpen} />
        {count(first)}
      </span>
      <span role="gridcell" className={styles.time}>
        {clockTime(timeline.t(first))}
      </span>
      <span role="gridcell" className={styles.actor} style={{ color: familyColor(timeline.family(actor)) }}>
        {entry ? <ActorPath path={shortPath(entry)} /> : `actor ${actor}`}
      </span>
      <span role="gridcell" className={styles.event}>
        <span className={styles.type}>{timeline.type(first)}</span>
      </span>
      <span role="gridcell" className={styles.change}>
        <span className={styles.same}>
          {plural(size, 'event')}
          {took >= 1 ? ` in ${count(Math.round(took))} ms` : ''}
        </span>
        {failed > 0 ? <span className={styles.failed}> · {count(failed)} failed</span> : null}
      </span>
      <span role="gridcell" className={styles.cause}>
        {describeOrigin(timeline, first)}
      </span>
    </div>
  )
}
