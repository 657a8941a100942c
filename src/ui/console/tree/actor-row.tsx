// One line of the actor tree: an actor with its state, or a group with its size.
import { ChevronRight } from 'lucide-react'
import { memo } from 'react'
import type { MachineChart, Timeline, ActorEntry } from '../../../trace/index.ts'
import { cx } from '../../widgets/cx.ts'
import { Chip, type Tone } from '../../widgets/pill.tsx'
import { actorTitle, familyColor, ownName } from '../actor-names.ts'
import { count } from '../text.ts'
import styles from './actor-tree.module.css'
import type { TreeRow } from './tree-rows.ts'
import { meaningOf } from '../tone.ts'

interface ActorState {
  readonly text: string
  /** The whole state. */
  readonly full: string
  readonly tone: Tone
  /** Whether it is running without states. */
  readonly isPlain: boolean
}

/** Returns the state at `at`. */
export function actorState(
  entry: ActorEntry,
  timeline: Timeline,
  at: number,
  charts: Readonly<Record<string, MachineChart>>,
): ActorState {
  const seq = timeline.lastOf(entry.index, at)
  if (seq < 0) return { text: 'not started', full: 'not started', tone: 'neutral', isPlain: true }
  const [status, { value, label, leaves }] = [timeline.status(seq), timeline.state(seq)]
  const { tone, path } = meaningOf({ status, value }, charts[entry.src])
  const text = status !== 'active' ? status : path === undefined ? 'running' : shortState(leaves, tone, path)
  return { text, full: label || text, tone, isPlain: status === 'active' && path === undefined }
}

/** Returns the innermost state; of several ones, the most severe, else their common parent. */
function shortState(leaves: readonly string[], tone: Tone, path: string): string {
  const needsAttention = tone !== 'ok' && tone !== 'neutral'
  const around = leaves.length === 1 || needsAttention ? path : sharedPath(leaves)
  if (around !== '') return lastKey(around)
  // Parallel regions: the first and the number of others, to leave space for the actor's name.
  return `${lastKey(leaves[0] ?? '')} +${leaves.length - 1}`
}

const lastKey = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

function sharedPath(paths: readonly string[]): string {
  const [first = [], ...rest] = paths.map(path => path.split('.'))
  const ends = first.findIndex((key, at) => rest.some(path => path[at] !== key))
  return first.slice(0, ends === -1 ? undefined : ends).join('.')
}

export interface ActorRowProps {
  readonly id: string
  readonly row: TreeRow
  /** Starts at 1. */
  readonly number: number
  readonly top: number
  readonly timeline: Timeline
  readonly at: number
  readonly charts: Readonly<Record<string, MachineChart>>
  /** What the actor is for. */
  readonly about: string | undefined
  readonly isSelected: boolean
  /** Whether this is the active line for keys. */
  readonly isCurrent: boolean
}

export function ActorRow({ id, row, number, top, timeline, at, charts, about, ...is }: ActorRowProps) {
  const { kind, actor, isOpen, size, level } = row
  const entry = timeline.actors[actor]
  if (!entry) return null
  const state = kind === 'actor' ? actorState(entry, timeline, at, charts) : undefined
  const name =
    kind === 'actor' ? ownName(entry, timeline.actors) : kind === 'group' ? `${entry.src}s` : 'stopped'
  const title =
    kind === 'actor' ? actorTitle(entry.path, about) : kind === 'stopped' ? 'stopped actors' : `${entry.src}s`
  return (
    <div
      id={id}
      role="row"
      data-key={row.key}
      data-actor={kind === 'actor' ? actor : undefined}
      aria-label={state ? `${name}, ${state.full}` : `${name}, ${count(size)}`}
      aria-level={level}
      aria-rowindex={number}
      aria-posinset={row.place}
      aria-setsize={row.of}
      aria-selected={is.isSelected}
      aria-expanded={isOpen}
      className={cx(
        styles.item,
        row.stopped && styles.stopped,
        is.isSelected && styles.selected,
        is.isCurrent && styles.current,
      )}
      style={{ top, paddingLeft: 6 + (level - 1) * 14 }}
    >
      <Line
        {...state}
        isOpen={isOpen}
        color={familyColor(timeline.family(actor))}
        name={name}
        title={title}
        size={size}
        hidden={row.hidden}
      />
    </div>
  )
}

interface LineProps extends Pick<TreeRow, 'size' | 'hidden'>, Partial<ActorState> {
  readonly isOpen: boolean | undefined
  readonly color: string
  readonly name: string
  readonly title: string
}

/** Most lines stay the same after a step, even if they move, and so do not rerender. */
const Line = memo(function Line({ isOpen, color, name, title, size, hidden, ...state }: LineProps) {
  return (
    <span role="gridcell" className={styles.line}>
      <span className={styles.chevron} data-chevron={isOpen === undefined ? undefined : ''} aria-hidden>
        {isOpen === undefined ? null : <ChevronRight size={12} className={cx(isOpen && styles.open)} />}
      </span>
      <span className={styles.family} style={{ background: color }} />
      <span className={styles.name} title={title}>
        {name}
      </span>
      {state.text === undefined ? <Count size={size} hidden={hidden} /> : <StateChip {...state} />}
    </span>
  )
})

function StateChip({ text, full, tone = 'neutral', isPlain = false }: Partial<ActorState>) {
  if (isPlain)
    return (
      <span className={styles.chip}>
        <span className={styles.quiet}>{text}</span>
      </span>
    )
  return (
    <span className={styles.chip} data-tone={tone}>
      <Chip tone={tone} pending={tone === 'pending'} {...(full !== undefined && { title: full })}>
        {tone === 'fail' ? '! ' : ''}
        {text}
      </Chip>
    </span>
  )
}

function Count({ size, hidden }: Pick<TreeRow, 'size' | 'hidden'>) {
  return (
    <span className={styles.more}>
      {count(size)}
      {hidden > 0 ? ` · ${count(hidden)} not listed` : ''}
    </span>
  )
}
