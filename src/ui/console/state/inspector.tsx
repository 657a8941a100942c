// The selected step: its event, its changes, its actor afterwards, its cause, and the history of a value.
import { memo, useState, useMemo } from 'react'
import { Tabs } from '../../widgets/tabs.tsx'
import { useStep } from '../model/use-detail.ts'
import { useConsole } from '../use-console.ts'
import { useCommands, type ConsoleCommand } from '../commands/use-commands.ts'
import { describeRelay } from './cause-chain.ts'
import { CauseView } from './cause-view.tsx'
import { DiffView } from './diff-view.tsx'
import { PinStrip } from './pin-strip.tsx'
import styles from './state.module.css'
import { WhenView } from './when-view.tsx'
import type { Comparison, Marks, PlaceAction } from '../model/place.ts'
import { type StepRecord, shortPath } from '../../../trace/index.ts'
import { snapshotOf } from './state-path.ts'
import parts from '../canvas/parts.module.css'
import { RecordedClockContext, useRecordedClock } from './times.ts'
import { useActorSentence } from '../tree/use-actor-sentence.ts'
import { useChangeTree, useDifference } from './use-changes.ts'
import { ValuePane } from './value-pane.tsx'
import { Hourglass, MousePointerClick } from 'lucide-react'
import { Button } from '../../widgets/button.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import { count, clockTime } from '../text.ts'

/** `seq` is -1 for no step. The open tab is part of the place. */
export const Inspector = memo(function Inspector({ seq }: { readonly seq: number }) {
  const { details, timeline, place, go, pick } = useConsole()
  useCommands(compareCommands({ marks: place.marks, go, pick }))
  const { record, before } = useStep(details, seq, timeline.previous(seq))
  const clock = useRecordedClock()
  const open = (inspector: string) => go({ type: 'layout', layout: { inspector } })
  const [when, setWhen] = useState('/state')
  const askWhen = (pointer: string) => {
    setWhen(pointer)
    open('when')
  }
  const askWhenOf = (actor: number, pointer: string) => {
    if (actor >= 0) go({ type: 'actor', actor })
    askWhen(pointer)
  }
  const pins = <PinStrip onWhen={askWhenOf} />
  if (!record) {
    return (
      <section className={styles.inspector} aria-label="Inspector">
        {pins}
        <NoStep />
      </section>
    )
  }
  const items = [
    { id: 'event', title: 'Event', content: <EventView record={record} /> },
    { id: 'diff', title: 'Diff', content: <DiffView record={record} before={before} onWhen={askWhen} /> },
    {
      id: 'context',
      title: 'Context',
      content: <ContextView record={record} before={before} onWhen={askWhen} />,
    },
    {
      id: 'cause',
      title: 'Cause',
      content: <CauseView seq={record.seq} />,
    },
    {
      id: 'when',
      title: 'History',
      content: <WhenView actor={record.actor} pointer={when} onPointer={setWhen} />,
    },
  ]
  const isKnown = items.some(({ id }) => id === place.layout.inspector)
  return (
    <section className={styles.inspector} aria-label="Inspector">
      {pins}
      <div className={styles.tabs}>
        <RecordedClockContext value={clock}>
          <Tabs
            label="Selected event"
            items={items}
            selected={isKnown ? place.layout.inspector : 'diff'}
            onSelect={open}
          />
        </RecordedClockContext>
      </div>
    </section>
  )
})

interface ComparePlace {
  readonly marks: Marks
  readonly go: (action: PlaceAction) => void
  readonly pick: (seq: number) => void
}

/** Returns commands for the marks and the comparisons of the diff. */
export function compareCommands({ marks: { a, b }, go, pick }: ComparePlace): readonly ConsoleCommand[] {
  const compare = (diff: Comparison) => () => go({ type: 'layout', layout: { inspector: 'diff', diff } })
  const section = 'State'
  const needsA = a === undefined ? { disabled: 'Mark A is not set' } : {}
  const needsB = b === undefined ? { disabled: 'Mark B is not set' } : {}
  const needsBoth = a === undefined ? needsA : needsB
  return [
    { id: 'mark.go.a', title: 'Go to mark A', section, ...needsA, run: () => pick(a ?? -1) },
    { id: 'mark.go.b', title: 'Go to mark B', section, ...needsB, run: () => pick(b ?? -1) },
    {
      id: 'diff.before',
      title: 'Show changes of this step',
      section,
      words: 'diff compare before',
      run: compare('before'),
    },
    {
      id: 'diff.a',
      title: 'Show changes from mark A',
      section,
      words: 'diff compare',
      ...needsA,
      run: compare('a'),
    },
    {
      id: 'diff.ab',
      title: 'Show changes between A and B',
      section,
      words: 'diff compare',
      ...needsBoth,
      run: compare('ab'),
    },
    {
      id: 'diff.all',
      title: 'Show changes between A and B in all actors',
      section,
      words: 'diff compare system',
      ...needsBoth,
      run: compare('all-ab'),
    },
  ]
}

interface ContextViewProps {
  readonly record: StepRecord
  /** The actor's previous record. */
  readonly before: StepRecord | undefined
  readonly onWhen: (pointer: string) => void
}

/** The actor after the selected step: state, context, output and error, with the step's changes marked. */
function ContextView({ record, before, onWhen }: ContextViewProps) {
  const { timeline } = useConsole()
  const value = useMemo(() => snapshotOf(record), [record])
  const changes = useChangeTree(useDifference(before, record), before)
  if (Object.keys(value).length === 0) return <p className={styles.pane}>This actor has no context.</p>
  return (
    <div className={parts.column}>
      <ValuePane
        value={value}
        label="Context"
        changes={changes}
        overTime="holds"
        actor={timeline.actors[record.actor]?.path}
        onWhen={onWhen}
      />
    </div>
  )
}

/** Shown instead of a step if the selected actor has not started, or nothing is recorded yet. */
function NoStep() {
  const { timeline, selection, pick } = useConsole()
  const first = timeline.nextOf(selection.actor, selection.at)
  const entry = timeline.actors[selection.actor]
  if (!entry || first < 0) {
    return (
      <EmptyState icon={<MousePointerClick size={20} aria-hidden />} title="No event selected">
        Select one in the log, or an actor with events.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={<Hourglass size={20} aria-hidden />}
      title={`${shortPath(entry)} has not started at this moment`}
      action={
        <Button size="s" onPress={() => pick(first)}>
          Go to its first event, #{count(first)}
        </Button>
      }
    >
      Its state is available from its first event on.
    </EmptyState>
  )
}

/** The selected step's event: sender, receiver, effect, payload, and the outputs of the machine. */
function EventView({ record }: { readonly record: StepRecord }) {
  const { timeline, header, beside } = useConsole()
  const { seq, event, outputs } = record
  const about = useActorSentence()(record.actor)
  const payload = useMemo(() => {
    const { type: _, ...rest } = event
    return { event: rest, ...(outputs && { outputs }) }
  }, [event, outputs])
  const isEmpty = Object.keys(payload.event).length === 0 && outputs === undefined
  const fault = timeline.injected(seq) ? timeline.faultOf(seq) : undefined
  return (
    <div className={parts.column}>
      <div className={styles.head}>
        <h2 className={styles.heading}>{event.type}</h2>
        <dl className={styles.facts}>
          <dt>event</dt>
          <dd>
            {count(seq)} at {clockTime(record.t)}
          </dd>
          <dt>from</dt>
          <dd>
            <ActorName actor={record.from} />
          </dd>
          <dt>to</dt>
          <dd>
            <ActorName actor={record.actor} />
            {about === undefined ? null : <p className={styles.about}>{about}</p>}
          </dd>
          {record.changed ? null : (
            <>
              <dt>effect</dt>
              <dd>{describeRelay(timeline, seq) ?? 'none'}: state and context did not change</dd>
            </>
          )}
          {fault === undefined ? null : (
            <>
              <dt>fault</dt>
              <dd>{fault}</dd>
            </>
          )}
        </dl>
        {beside(event, header)}
      </div>
      {isEmpty ? (
        <p className={styles.pane}>No payload.</p>
      ) : (
        <ValuePane value={payload} label="Event payload and outputs" />
      )}
    </div>
  )
}

function ActorName({ actor }: { readonly actor: number | undefined }) {
  const { timeline, go } = useConsole()
  const entry = actor === undefined ? undefined : timeline.actors[actor]
  if (!entry) return actor === undefined ? 'outside' : '?'
  return (
    <button
      type="button"
      className={styles.link}
      onClick={() => go({ type: 'actor', actor: entry.index })}
      title={entry.path}
    >
      {shortPath(entry)}
    </button>
  )
}
