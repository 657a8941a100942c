// The difference between two points: the selected step and the one before, or the marked moments.
import { ArrowLeftRight, FileDiff, Users } from 'lucide-react'
import { Button, ToolButton } from '../../widgets/button.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import { type StepRecord, shortPath } from '../../../trace/index.ts'
import { nextMark, type Comparison } from '../model/place.ts'
import { useStep } from '../model/use-detail.ts'
import { count, plural } from '../text.ts'
import { useConsole } from '../use-console.ts'
import { AllDiff, isOfAll, momentsOf, type Moments } from './all-diff.tsx'
import { countsOf, type Difference, jsonPatch } from './diff-walk.ts'
import parts from '../canvas/parts.module.css'
import styles from './diff.module.css'
import { useDifference } from './use-changes.ts'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, memo, useCallback } from 'react'
import { DiffLine } from './diff-line.tsx'
import { copyText } from './clipboard.ts'
import { snapshotOf } from './state-path.ts'
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import { cx } from '../../widgets/cx.ts'

export interface DiffViewProps {
  readonly record: StepRecord
  readonly before: StepRecord | undefined
  readonly onWhen: (pointer: string) => void
}

export function DiffView({ record, before, onWhen }: DiffViewProps) {
  const { place, selection } = useConsole()
  const { diff } = place.layout
  const moments = momentsOf(diff, place.marks, selection.at)
  if (diff === 'before') {
    const text = `#${count(record.seq)} ${record.event.type} · ${before ? `against #${count(before.seq)}` : 'first snapshot'}`
    return <OneDiff text={text} from={before} to={record} onWhen={onWhen} />
  }
  if (!moments) return <NoMark />
  return isOfAll(diff) ? (
    <div className={parts.column}>
      <DiffChoice />
      <AllDiff moments={moments} />
    </div>
  ) : (
    <MomentsDiff actor={record.actor} moments={moments} onWhen={onWhen} />
  )
}

interface MomentsDiffProps extends Pick<DiffViewProps, 'onWhen'> {
  readonly actor: number
  readonly moments: Moments
}

/** One actor at two moments. */
function MomentsDiff({ actor, moments, onWhen }: MomentsDiffProps) {
  const { timeline, details } = useConsole()
  const [was, is] = [timeline.lastOf(actor, moments.from), timeline.lastOf(actor, moments.to)]
  const step = useStep(details, is, was)
  const entry = timeline.actors[actor]
  const text = `${entry ? shortPath(entry) : '?'} · ${was < 0 ? 'not started' : `#${count(was)}`} → ${
    is < 0 ? 'not started' : `#${count(is)}`
  }`
  return <OneDiff text={text} from={step.before} to={step.record} onWhen={onWhen} />
}

interface OneDiffProps extends Pick<DiffViewProps, 'onWhen'> {
  readonly text: string
  readonly from: StepRecord | undefined
  readonly to: StepRecord | undefined
}

function OneDiff({ text, from, to, onWhen }: OneDiffProps) {
  const difference = useDifference(from, to)
  return (
    <div className={parts.column}>
      <DiffChoice />
      <div className={styles.head}>
        <span className={styles.what} title={text}>
          {text}
        </span>
        {difference && difference.total > 0 ? (
          <span
            className={styles.counts}
            title={`${plural(difference.total, 'change')}: added, changed, removed`}
          >
            {countsOf(difference)}
          </span>
        ) : null}
        <PatchButton from={from} to={to} />
      </div>
      <DiffList difference={difference} onWhen={onWhen} />
    </div>
  )
}

function NoMark() {
  const { place, selection, go } = useConsole()
  const mark = nextMark(place.marks)
  return (
    <div className={parts.column}>
      <DiffChoice />
      <EmptyState
        icon={<ArrowLeftRight size={20} aria-hidden />}
        title={`Mark ${mark.toUpperCase()} is not set`}
        action={
          <Button size="s" onPress={() => go({ type: 'mark', mark, seq: selection.at })}>
            Mark {mark.toUpperCase()} here
          </Button>
        }
      >
        Select a moment and press M to set mark A, then another to set B. Their differences appear here.
      </EmptyState>
    </div>
  )
}

/** Estimated height of a line before it is measured. */
const LINE = 44

interface DiffListProps {
  /** Undefined while it is computed. */
  readonly difference: Difference | undefined
  readonly onWhen?: (pointer: string) => void
}

function DiffList({ difference, onWhen }: DiffListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const changes = difference?.changes ?? []
  const view = useVirtualizer({
    count: changes.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE,
    overscan: 4,
  })
  const left = (difference?.total ?? 0) - changes.length
  return (
    <div ref={scroller} className={styles.rows}>
      {difference ? null : <p className={styles.note}>Comparing…</p>}
      {difference?.total === 0 ? <p className={styles.note}>No changes.</p> : null}
      <ul className={styles.list} aria-label="Changes" style={{ height: view.getTotalSize() }}>
        {view.getVirtualItems().map(({ index, start, key }) => {
          const change = changes[index]
          return change ? (
            <li
              key={key}
              ref={view.measureElement}
              data-index={index}
              className={styles.item}
              style={{ top: start }}
            >
              <DiffLine change={change} onWhen={onWhen} />
            </li>
          ) : null
        })}
      </ul>
      {left > 0 ? (
        <p className={styles.note}>
          {plural(left, 'more change')} than the {count(changes.length)} listed
        </p>
      ) : null}
    </div>
  )
}

interface PatchButtonProps {
  readonly from: StepRecord | undefined
  readonly to: StepRecord | undefined
}

/** Copies a difference as a JSON patch. */
function PatchButton({ from, to }: PatchButtonProps) {
  const copy = () => {
    const patch = jsonPatch(snapshotOf(from), snapshotOf(to))
    copyText(JSON.stringify(patch, null, 2), 'JSON patch')
  }
  return <ToolButton icon={FileDiff} label="Copy as JSON patch" onPress={copy} />
}

const POINTS = [
  { id: 'before', text: 'Step', title: 'The selected step and the one before it' },
  { id: 'a', text: 'From A', title: 'Mark A and the current moment' },
  { id: 'ab', text: 'A → B', title: 'Mark A and mark B' },
] as const

/** Selects what the diff compares: which points, and one actor or all. */
function DiffChoice() {
  const { place, go, pick } = useConsole()
  const { diff } = place.layout
  const isAll = isOfAll(diff)
  const points = isAll ? diff.slice('all-'.length) : diff
  const ofAll = useCallback(
    (next: string, all: boolean) => {
      const chosen = (all && next !== 'before' ? `all-${next}` : next) as Comparison
      go({ type: 'layout', layout: { diff: chosen } })
    },
    [go],
  )
  const choose = useCallback((next: string) => ofAll(next, isAll), [ofAll, isAll])
  return (
    <div className={styles.head}>
      <Points {...{ points, choose }} />
      <span className={styles.marks}>
        {(['a', 'b'] as const).map(mark => {
          const seq = place.marks[mark]
          return seq === undefined ? null : (
            <button
              key={mark}
              type="button"
              className={styles.mark}
              title={`Go to mark ${mark.toUpperCase()}`}
              onClick={() => pick(seq)}
            >
              <b>{mark.toUpperCase()}</b> #{count(seq)}
            </button>
          )
        })}
      </span>
      {points === 'before' ? null : (
        <ToolButton icon={Users} label="All actors" isOn={isAll} onPress={() => ofAll(points, !isAll)} />
      )}
    </div>
  )
}

interface PointsProps {
  readonly points: string
  readonly choose: (next: string) => void
}

/** A step does not rerender it. */
const Points = memo(function Points({ points, choose }: PointsProps) {
  return (
    <ToggleButtonGroup
      aria-label="Compare"
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[points]}
      onSelectionChange={keys => choose(String([...keys][0] ?? 'before'))}
      className={cx(styles.choice)}
    >
      {POINTS.map(({ id, text }) => (
        <ToggleButton key={id} id={id} className={cx(styles.option)}>
          {text}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
})
