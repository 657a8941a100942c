// The middle of the console: the selected actor's statechart, or a card for an actor without one.
import { Workflow } from 'lucide-react'
import { memo, useDeferredValue, type ReactNode } from 'react'
import { type MachineChart, type Timeline, type ActorEntry, shortPath } from '../../../trace/index.ts'
import { EmptyState } from '../../widgets/state.tsx'
import { familyColor } from '../actor-names.ts'
import parts from '../canvas/parts.module.css'
import styles from './center.module.css'
import { ChartView } from '../chart/chart-view.tsx'
import { useChartRun } from '../chart/use-chart-run.ts'
import type { Size } from '../chart/chart-geometry.ts'
import { clockTime } from '../text.ts'
import { useConsole } from '../use-console.ts'
import { usePaneSize } from '../use-pane-size.ts'
import { describe } from '../state/json-nodes.ts'
import { useDetail } from '../model/use-detail.ts'

export interface CenterProps {
  readonly actor: number
  /** Sequence number of the actor's record that is shown; -1 for none. */
  readonly seq: number
  readonly charts: Readonly<Record<string, MachineChart>>
  readonly fitAsked: number
}

/** Shows the selected actor at the selected record. */
export const Center = memo(function Center(props: CenterProps) {
  const { actor, seq, charts, fitAsked } = props
  const { trace, timeline, selection } = useConsole()
  const entry = timeline.actors[actor]
  const chart = entry ? charts[entry.src] : undefined
  const since = timeline.since(actor, seq)
  const isLive = trace.live && selection.following
  const run = useChartRun(chart, { timeline, actor, seq, isLive })
  if (!entry)
    return (
      <EmptyState icon={<Workflow size={20} aria-hidden />} title="Nothing recorded yet">
        The machines appear with their first event.
      </EmptyState>
    )
  return (
    <div className={parts.column}>
      <header className={styles.head}>
        <span
          aria-hidden
          className={styles.family}
          style={{ background: familyColor(timeline.family(actor)) }}
        />
        <h2 className={styles.title}>{shortPath(entry)}</h2>
        <span className={styles.state}>{stateText(timeline, seq)}</span>
        {since < 0 ? null : <span className={styles.since}>since {clockTime(timeline.t(since))}</span>}
      </header>
      <Body>
        {pane =>
          chart ? (
            <ChartView chart={chart} {...run} pane={pane} fitAsked={fitAsked} actor={entry.path} />
          ) : (
            <ActorCard entry={entry} seq={seq} />
          )
        }
      </Body>
    </div>
  )
})

/** Keeps its size across content, so that switching to an actor with a chart does not measure again. */
function Body({ children }: { readonly children: (pane: Size) => ReactNode }) {
  const [ref, measured] = usePaneSize()
  // Deferred, so that a chart is drawn in chunks when the console opens.
  const pane = useDeferredValue(measured)
  return (
    <div ref={ref} className={styles.body}>
      {children(pane)}
    </div>
  )
}

function stateText(timeline: Timeline, seq: number): string {
  if (seq < 0) return 'not started'
  const [{ label, value }, status] = [timeline.state(seq), timeline.status(seq)]
  return `${label || status}${status !== 'active' && value !== undefined ? ` · ${status}` : ''}`
}

const KINDS: Readonly<Record<ActorEntry['kind'], readonly [string, string]>> = {
  machine: ['A machine', 'This trace has no chart for it, so only its state and context are shown.'],
  promise: [
    'A promise',
    'Runs one task, such as a request, and resolves with a value or fails with an error.',
  ],
  callback: [
    'A callback',
    'Listens to an external source, such as a socket, and sends events while it runs.',
  ],
  observable: [
    'An observable',
    'Follows a stream of values, such as online and offline, and forwards each value.',
  ],
  other: ['Other logic', 'It has no chart. See its events and context.'],
}

interface ActorCardProps {
  readonly entry: ActorEntry
  /** The actor's view that is shown; -1 for none. */
  readonly seq: number
}

/** Shown instead of a chart. */
function ActorCard({ entry, seq }: ActorCardProps) {
  const { timeline, details } = useConsole()
  const { record, isStale } = useDetail(details, seq)
  const [what, how] = KINDS[entry.kind]
  const status = seq < 0 ? 'not started' : timeline.status(seq)
  const ended = seq >= 0 && status !== 'active'
  const began = timeline.t(timeline.born(entry.index))
  return (
    <div className={styles.card}>
      <h3>
        {what}: {entry.src}
      </h3>
      <p>{how}</p>
      <dl className={styles.facts}>
        <dt>path</dt>
        <dd>{entry.path}</dd>
        <dt>status</dt>
        <dd>{status === 'active' ? 'running' : status}</dd>
        {seq < 0 ? null : (
          <>
            <dt>started</dt>
            <dd>{clockTime(began)}</dd>
          </>
        )}
        {ended ? (
          <>
            <dt>ran for</dt>
            <dd>{clockTime(timeline.t(seq) - began)} s</dd>
          </>
        ) : null}
        {isStale || record?.output === undefined ? null : (
          <>
            <dt>output</dt>
            <dd>{describe(record.output).preview}</dd>
          </>
        )}
        {isStale || record?.error === undefined ? null : (
          <>
            <dt>error</dt>
            <dd>{describe(record.error).preview}</dd>
          </>
        )}
      </dl>
    </div>
  )
}
