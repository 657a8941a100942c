// Changes in the whole system between two moments: a group per actor.
import { useVirtualizer } from '@tanstack/react-virtual'
import { ChevronRight } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { cx } from '../../widgets/cx.ts'
import { familyColor } from '../actor-names.ts'
import { useStep } from '../model/use-detail.ts'
import { stateChange } from '../state-change.ts'
import { count, plural } from '../text.ts'
import { useConsole } from '../use-console.ts'
import { DiffLine } from './diff-line.tsx'
import styles from './diff.module.css'
import { useDifference } from './use-changes.ts'
import { type Timeline, shortPath } from '../../../trace/index.ts'
import type { Comparison, Marks } from '../model/place.ts'

const GROUP = 28
/** Groups expanded by default. */
const OPEN_AT_FIRST = 4
/** Maximum listed changes of one actor among those of others. */
const LINES = 60

export function AllDiff({ moments: { from, to } }: { readonly moments: Moments }) {
  const { timeline, size } = useConsole()
  const known = Math.max(from, to) < size
  const { changed, same, absent } = useMemo(
    () => (known ? changedActors(timeline, { from, to }) : { changed: [], same: 0, absent: 0 }),
    [timeline, known, from, to],
  )
  const [chosen, choose] = useState<ReadonlyMap<number, boolean>>(new Map())
  const scroller = useRef<HTMLDivElement>(null)
  const view = useVirtualizer({
    count: changed.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => GROUP,
    overscan: 3,
    getItemKey: at => changed[at]?.actor ?? at,
  })
  return (
    <>
      <p className={styles.sum}>
        #{count(from)} → #{count(to)} · {plural(changed.length, 'actor')} changed, {count(same)} did not
        {absent > 0 ? `, ${count(absent)} not started` : ''}
      </p>
      <div ref={scroller} className={styles.rows}>
        <ul className={styles.list} aria-label="Changes by actor" style={{ height: view.getTotalSize() }}>
          {view.getVirtualItems().map(({ index, start, key }) => {
            const one = changed[index]
            if (!one) return null
            const isOpen = chosen.get(one.actor) ?? index < OPEN_AT_FIRST
            return (
              <li
                key={key}
                ref={view.measureElement}
                data-index={index}
                className={styles.item}
                style={{ top: start }}
              >
                <Group
                  one={one}
                  isOpen={isOpen}
                  onOpen={open => choose(all => new Map(all).set(one.actor, open))}
                />
              </li>
            )
          })}
        </ul>
      </div>
    </>
  )
}

interface GroupProps {
  readonly one: ChangedActor
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
}

function Group({ one, isOpen, onOpen }: GroupProps) {
  const { timeline } = useConsole()
  const entry = timeline.actors[one.actor]
  return (
    <>
      <button
        type="button"
        className={styles.group}
        aria-expanded={isOpen}
        onClick={() => onOpen(!isOpen)}
        title={entry?.path}
      >
        <ChevronRight size={12} aria-hidden className={cx(styles.caret, isOpen && styles.opened)} />
        <span
          aria-hidden
          className={styles.family}
          style={{ background: familyColor(timeline.family(one.actor)) }}
        />
        <span className={styles.name}>{entry ? shortPath(entry) : '?'}</span>
        <span className={styles.moved}>{useBecame(one)}</span>
        <span className={styles.steps}>{plural(one.steps, 'step')}</span>
      </button>
      {isOpen ? <Lines one={one} /> : null}
    </>
  )
}

/** Describes the actor's state change briefly. */
function useBecame({ from, to }: ChangedActor): string {
  const { timeline } = useConsole()
  if (from < 0) return 'started'
  if (to < 0) return 'not started'
  if (timeline.status(from) !== timeline.status(to))
    return `${timeline.status(from)} → ${timeline.status(to)}`
  const { from: was, to: is } = stateChange(timeline.state(from).value, timeline.state(to).value)
  return was === '' ? '' : `${was} → ${is}`
}

function Lines({ one }: { readonly one: ChangedActor }) {
  const { details, go } = useConsole()
  const { record, before } = useStep(details, one.to, one.from)
  const difference = useDifference(before, record)
  const left = (difference?.total ?? 0) - LINES
  return (
    <div className={styles.inner}>
      {difference ? null : <p className={styles.note}>Comparing…</p>}
      {difference?.total === 0 ? <p className={styles.note}>No net change.</p> : null}
      {difference?.changes.slice(0, LINES).map((change, at) => (
        <DiffLine key={`${change.pointer} ${change.mark} ${at}`} change={change} />
      ))}
      {left > 0 ? (
        <button
          type="button"
          className={styles.more}
          onClick={() => {
            go({ type: 'actor', actor: one.actor })
            go({ type: 'layout', layout: { diff: 'ab' } })
          }}
        >
          {plural(left, 'more change')}: show this actor alone
        </button>
      ) : null}
    </div>
  )
}

/** Two moments, as view numbers. */
export interface Moments {
  readonly from: number
  readonly to: number
}

/** Returns the moments of a comparison other than `before`; undefined while a mark is missing. */
export function momentsOf(comparison: Comparison, { a, b }: Marks, at: number): Moments | undefined {
  const to = comparison.endsWith('ab') ? b : at
  return a === undefined || to === undefined || to < 0 ? undefined : { from: a, to }
}

export const isOfAll = (comparison: Comparison): boolean => comparison.startsWith('all-')

/** An actor with steps between two moments that changed something. */
interface ChangedActor {
  readonly actor: number
  /** Its steps at both moments; -1 if it had not started. */
  readonly from: number
  readonly to: number
  /** Number of steps between them. */
  readonly steps: number
}

interface ChangedActors {
  readonly changed: readonly ChangedActor[]
  /** Number of unchanged actors, and of actors not started at either moment. */
  readonly same: number
  readonly absent: number
}

/** Returns the actors that changed between two moments, in the order of the actor table. */
export function changedActors(timeline: Timeline, { from, to }: Moments): ChangedActors {
  const changed: ChangedActor[] = []
  let [same, absent] = [0, 0]
  for (const { index: actor } of timeline.actors) {
    const [was, is] = [timeline.lastOf(actor, from), timeline.lastOf(actor, to)]
    if (was < 0 && is < 0) absent += 1
    else if (was === is || !hasChange(timeline, actor, was, is)) same += 1
    else changed.push({ actor, from: was, to: is, steps: stepsBetween(timeline, actor, was, is) })
  }
  return { changed, same, absent }
}

function hasChange(timeline: Timeline, actor: number, was: number, is: number): boolean {
  if (was < 0 || is < 0) return true
  const [low, high] = [Math.min(was, is), Math.max(was, is)]
  for (let seq = timeline.nextOf(actor, low); seq >= 0 && seq <= high; seq = timeline.nextOf(actor, seq))
    if (timeline.changed(seq) || timeline.moved(seq)) return true
  return false
}

function stepsBetween(timeline: Timeline, actor: number, was: number, is: number): number {
  const steps = timeline.stepsOf(actor)
  const place = (seq: number) => (seq < 0 ? -1 : steps.indexOf(seq))
  return Math.abs(place(is) - place(was))
}
