// The middle of the console: the selected actor's statechart, or a card for an actor without one.
import { Workflow } from 'lucide-react'
import { memo, useDeferredValue, type ReactNode } from 'react'
import { type MachineChart, type Timeline, type ActorEntry, shortPath } from '../../../trace/index.ts'
import { CopyButton } from '../../widgets/copy-button.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import { familyColor } from '../actor-names.ts'
import parts from '../canvas/parts.module.css'
import styles from './center.module.css'
import { ChartView } from '../chart/chart-view.tsx'
import { useChartRun } from '../chart/use-chart-run.ts'
import type { Size } from '../chart/chart-geometry.ts'
import { clockTime, count } from '../text.ts'
import { useConsole } from '../use-console.ts'
import { usePaneSize } from '../../widgets/drawing/use-pane-size.ts'
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
  const hasStates = chart !== undefined && chart.root.states.length > 0
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
          hasStates ? (
            <ChartView chart={chart} {...run} pane={pane} fitAsked={fitAsked} actor={entry.path} />
          ) : (
            <ActorCard entry={entry} seq={seq} isStateless={chart !== undefined} />
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

const STATELESS = ['A machine', 'It has no states, only context and children.'] as const

interface ActorCardProps {
  readonly entry: ActorEntry
  /** The actor's view that is shown; -1 for none. */
  readonly seq: number
  /** Whether it is a machine whose chart has no states. */
  readonly isStateless: boolean
}

/** Shown instead of a chart: what the step received, and what the actor then had. */
function ActorCard({ entry, seq, isStateless }: ActorCardProps) {
  const { timeline, details, pick, selection } = useConsole()
  const { record, isStale } = useDetail(details, seq)
  const [what, how] = isStateless ? STATELESS : KINDS[entry.kind]
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
        <dd>
          {entry.path} <CopyButton text={entry.path} label="Copy path" />
        </dd>
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
        {isStale || record?.output === undefined ? null : <Fact name="output" value={record.output} />}
        {isStale || record?.error === undefined ? null : <Fact name="error" value={record.error} />}
      </dl>
      {isStale ? null : <Entries title="Event" value={record?.event} />}
      {isStale ? null : <Entries title="Context" value={record?.context} />}
      <Children of={entry.index} at={selection.at} timeline={timeline} onPick={pick} />
    </div>
  )
}

function Fact({ name, value }: { readonly name: string; readonly value: unknown }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{describe(value).preview}</dd>
    </>
  )
}

/** Further entries are in the tab of the same name. */
const MOST_ENTRIES = 12

interface EntriesProps {
  readonly title: 'Event' | 'Context'
  readonly value: unknown
}

function Entries({ title, value }: EntriesProps) {
  const all = typeof value === 'object' && value !== null ? Object.entries(value) : []
  if (all.length === 0) return null
  return (
    <section aria-label={title}>
      <h4>{title}</h4>
      <dl className={styles.facts}>
        {all.slice(0, MOST_ENTRIES).map(([name, entry]) => (
          <Fact key={name} name={name} value={entry} />
        ))}
      </dl>
      {all.length > MOST_ENTRIES ? (
        <p>
          {count(all.length - MOST_ENTRIES)} more in {title}.
        </p>
      ) : null}
    </section>
  )
}

interface ChildrenProps {
  readonly of: number
  readonly at: number
  readonly timeline: Timeline
  readonly onPick: (seq: number) => void
}

const MOST_CHILDREN = 12

/** Children that run at the moment, the latest first; each selects its latest step. */
function Children({ of, at, timeline, onPick }: ChildrenProps) {
  const running = timeline.childrenOf(of).filter(child => {
    const last = timeline.lastOf(child, at)
    return last >= 0 && timeline.status(last) === 'active'
  })
  if (running.length === 0) return null
  return (
    <section aria-label="Running children">
      <h4>{running.length === 1 ? '1 running child' : `${count(running.length)} running children`}</h4>
      <ul className={styles.children}>
        {running
          .slice(-MOST_CHILDREN)
          .reverse()
          .map(child => {
            const [entry, seq] = [timeline.actors[child], timeline.lastOf(child, at)]
            return entry ? (
              <li key={child}>
                <button type="button" className={styles.child} onClick={() => onPick(seq)}>
                  {shortPath(entry)} <span className={styles.state}>{stateText(timeline, seq)}</span>
                </button>
              </li>
            ) : null
          })}
      </ul>
    </section>
  )
}
