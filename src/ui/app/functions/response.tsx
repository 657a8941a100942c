// The response to a call, shown from its first byte: status, times, body and headers.
import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { useClient } from '../../react/index.ts'
import { Button } from '../../widgets/button.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import { Tabs } from '../../widgets/tabs.tsx'
import { useSampled } from '../../widgets/time.ts'
import { useClock } from '../hooks.ts'
import { Notice } from '../shell/page.tsx'
import { ResponseBody } from './response-body.tsx'
import { ResponseHead } from './response-head.tsx'
import {
  type Body,
  type CallState,
  describeResponse,
  type FunctionCallStore,
  type Head,
  isUnderWay,
  waitOf,
  type Part,
} from '../../../services/workbench/functions/index.ts'
import styles from './functions.module.css'
import { formatCount, formatMs, indented, formatSize } from '../../../services/workbench/text/index.ts'
import { cx } from '../../widgets/cx.ts'
import { FollowingList, type RowFrame } from '../following/following-list.tsx'

interface ResponsePanelProps {
  readonly store: FunctionCallStore
  readonly call: CallState
}

/** The response stays until the next call. */
export function ResponsePanel({ store, call }: ResponsePanelProps) {
  if (call.phase === 'none')
    return (
      <section className={styles.answer} aria-label="Response">
        <EmptyState title="No response yet">
          Status, headers, body and times appear here, also for errors. Streams appear as they arrive.
        </EmptyState>
      </section>
    )
  return (
    <section className={styles.answer} aria-label="Response" aria-busy={isUnderWay(call)}>
      <ResponseHead store={store} call={call} />
      <Said store={store} call={call} />
      {call.phase !== 'sending' && call.head && call.body ? (
        <ResponseTabs key={call.id} store={store} call={call} head={call.head} body={call.body} />
      ) : null}
    </section>
  )
}

function Said({ store, call }: ResponsePanelProps) {
  const { url } = useClient()
  const words = describeResponse(call, !url.startsWith(location.origin))
  if (words === undefined) return null
  return (
    <Notice tone={words.tone}>
      {words.text}{' '}
      {isUnderWay(call) || call.phase === 'none' ? null : (
        <Again key={call.id} store={store} wait={waitOf(call)} />
      )}
    </Notice>
  )
}

/** Counts down `Retry-After`; the user may send earlier. */
function Again({ store, wait }: { readonly store: FunctionCallStore; readonly wait: number | undefined }) {
  const now = useClock()
  const [since] = useState(now)
  const left = useSampled(
    () => Math.max(0, Math.round((wait ?? 0) - (now() - since) / 1_000)),
    wait === undefined ? undefined : 1_000,
  )
  return (
    <>
      {left > 0 ? <span className={styles.hint}>Retry after {left} s.</span> : null}
      <Button size="s" icon={<RotateCcw size={12} aria-hidden />} onPress={store.send}>
        Send again
      </Button>
    </>
  )
}

interface ResponseTabsProps extends ResponsePanelProps {
  readonly head: Head
  readonly body: Body
}

/** A stream opens with its chunks, anything else with its body. */
function ResponseTabs({ store, call, head, body }: ResponseTabsProps) {
  const isStream = head.kind === 'events' || head.kind === 'lines'
  const [tab, setTab] = useState(isStream ? 'parts' : 'body')
  const parts = {
    id: 'parts',
    title: `${head.kind === 'events' ? 'Events' : head.kind === 'lines' ? 'Lines' : 'Chunks'} ${formatCount(body.parts.length + body.dropped)}`,
    content: <ResponseParts body={body} isRunning={isUnderWay(call)} />,
  }
  const hasParts = isStream || (head.kind === 'text' && body.parts.length > 1)
  return (
    <div className={styles.answerTabs}>
      <Tabs
        label="Response sections"
        selected={tab}
        onSelect={setTab}
        items={[
          ...(isStream ? [parts] : []),
          {
            id: 'body',
            title: 'Body',
            content: <ResponseBody store={store} head={head} body={body} isRunning={isUnderWay(call)} />,
          },
          ...(hasParts && !isStream ? [parts] : []),
          {
            id: 'headers',
            title: `Headers ${head.headers.length}`,
            content: <Headers head={head} />,
          },
          { id: 'times', title: 'Times', content: <ResponseTimes call={call} head={head} /> },
        ]}
      />
    </div>
  )
}

function Headers({ head }: { readonly head: Head }) {
  return (
    <dl className={styles.headers}>
      {head.headers.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

interface Fact {
  readonly name: string
  readonly value: string
  /** Start and end as shares of the total, from 0 to 1. */
  readonly bar?: readonly [from: number, to: number]
}

function factsOf(call: CallState, head: Head): readonly Fact[] {
  if (call.phase !== 'done' && call.phase !== 'failed' && call.phase !== 'canceled') return []
  const timings = call.phase === 'done' ? call.timings : undefined
  const { duration } = call
  const share = (ms: number) => (duration === 0 ? 0 : Math.min(1, Math.max(0, ms / duration)))
  const facts: Fact[] = [
    { name: 'Time to response start', value: formatMs(head.at), bar: [0, share(head.at)] },
    { name: 'Total', value: formatMs(duration), bar: [share(head.at), 1] },
  ]
  if (!timings) return facts
  const before = Math.max(0, duration - timings.waiting - timings.download)
  return [
    ...facts,
    { name: 'Queued', value: formatMs(before), bar: [0, share(before)] },
    {
      name: 'Time to first byte',
      value: formatMs(timings.waiting),
      bar: [share(before), share(before + timings.waiting)],
    },
    {
      name: 'Download',
      value: formatMs(timings.download),
      bar: [share(before + timings.waiting), 1],
    },
    ...(timings.transferred > 0 ? [{ name: 'Transferred', value: formatSize(timings.transferred) }] : []),
    ...(timings.protocol === '' ? [] : [{ name: 'Protocol', value: timings.protocol }]),
  ]
}

/** Client measurements, followed by the browser's, if the backend allows them. */
function ResponseTimes({ call, head }: { readonly call: CallState; readonly head: Head }) {
  const facts = factsOf(call, head)
  if (facts.length === 0) return <p className={styles.hint}>Available when the response is complete.</p>
  return (
    <dl className={styles.times}>
      {facts.map(({ name, value, bar }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
          <span className={styles.timeBar} aria-hidden>
            {bar === undefined ? null : (
              <span
                style={{ left: `${bar[0] * 100}%`, width: `${Math.max(0.5, (bar[1] - bar[0]) * 100)}%` }}
              />
            )}
          </span>
        </div>
      ))}
    </dl>
  )
}

const ROW = 24

interface ResponsePartsProps {
  readonly body: Body
  readonly isRunning: boolean
}

/** Follows the newest chunk until the user scrolls up; the selected chunk is shown in full below. */
function ResponseParts({ body, isRunning }: ResponsePartsProps) {
  const { parts, dropped } = body
  const [chosen, setChosen] = useState<number>()
  const [follows, setFollows] = useState(true)
  const at = chosen === undefined ? -1 : chosen - dropped
  const shown = parts[at]
  return (
    <div className={styles.stream}>
      <div className={styles.bodyLine}>
        <span className={styles.hint}>
          {parts.length === 0 && isRunning ? 'Nothing received yet.' : null}
          {dropped > 0 ? `The first ${formatCount(dropped)} are no longer stored.` : null}
        </span>
        {follows ? null : (
          <Button size="s" variant="quiet" onPress={() => setFollows(true)}>
            Follow newest
          </Button>
        )}
      </div>
      <FollowingList
        label="Response chunks"
        className={styles.partList}
        items={parts}
        idOf={(_part, index) => `part-${index + dropped}`}
        height={ROW}
        follows={follows}
        onFollow={setFollows}
        chosen={at}
        onChoose={index => {
          setChosen(index + dropped)
          setFollows(false)
        }}
      >
        {(part, frame, index) => (
          <PartRow key={frame.id} part={part} frame={frame} since={parts[index - 1]?.at} />
        )}
      </FollowingList>
      {shown === undefined ? null : (
        <textarea
          readOnly
          className={cx(styles.body, styles.chosenPart)}
          aria-label="Selected chunk"
          value={indented(shown.text) ?? shown.text}
        />
      )}
    </div>
  )
}

interface PartRowProps {
  readonly part: Part
  readonly frame: RowFrame
  readonly since: number | undefined
}

function PartRow({ part, frame, since }: PartRowProps) {
  return (
    <div {...frame} className={styles.part}>
      <span className={styles.partAt}>{formatMs(part.at)}</span>
      <span className={styles.partGap}>{since === undefined ? '' : `+${formatMs(part.at - since)}`}</span>
      {part.event === undefined ? null : <span className={styles.partEvent}>{part.event}</span>}
      <span className={styles.partText}>{part.text.replaceAll('\n', ' ⏎ ').slice(0, 500)}</span>
    </div>
  )
}
