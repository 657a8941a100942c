// The answer to a call, from its first byte on: status, times, body, headers.
import { Download, RotateCcw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useClient } from '../../react.ts'
import { Button } from '../../widgets/button.tsx'
import { Chip, type Tone } from '../../widgets/pill.tsx'
import { saveAs } from '../../widgets/save-as.ts'
import { Spinner } from '../../widgets/spinner.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import { Tabs } from '../../widgets/tabs.tsx'
import { formatSize } from '../format.ts'
import { useClock } from '../hooks.ts'
import { RequestLink } from '../requests/request-link.tsx'
import { Notice } from '../shell/page.tsx'
import { AnswerBody } from './answer-body.tsx'
import { fileNameOf } from './answer-kind.ts'
import { AnswerParts } from './answer-parts.tsx'
import { AnswerTimes } from './answer-times.tsx'
import { answerWords, faultOf, formatMs } from './answer-words.ts'
import { isUnderWay, type CallState, type Head } from './call-state.ts'
import type { FunctionsDesk } from './functions-desk.ts'
import styles from './functions.module.css'
import type { Body } from './received.ts'

const toneOf = (status: number | undefined): Tone => {
  if (status === undefined || status >= 400) return 'fail'
  return status < 300 ? 'ok' : 'pending'
}

const PHASES: Readonly<Record<Exclude<CallState['phase'], 'none'>, string>> = {
  sending: 'waiting for the answer',
  receiving: 'receiving',
  done: 'complete',
  failed: 'failed',
  stopped: 'stopped',
}

/** Time since it was sent, while it is under way. */
function Elapsed({ id }: { readonly id: number }) {
  const now = useClock()
  const [began] = useState(() => ({ id, at: now() }))
  const [at, setAt] = useState(began.at)
  useEffect(() => {
    const timer = setInterval(() => setAt(now()), 100)
    return () => clearInterval(timer)
  }, [now])
  return <span className={styles.duration}>{formatMs(at - began.at)}</span>
}

interface AnswerProps {
  readonly desk: FunctionsDesk
  readonly call: CallState
}

/** What came stays until the next call. */
export function Answer({ desk, call }: AnswerProps) {
  if (call.phase === 'none')
    return (
      <section className={styles.answer} aria-label="Answer">
        <EmptyState title="No answer yet">
          Status, headers, body and times appear here, of failures too; a stream is shown as it comes.
        </EmptyState>
      </section>
    )
  return (
    <section className={styles.answer} aria-label="Answer" aria-busy={isUnderWay(call)}>
      <AnswerHead desk={desk} call={call} />
      <Said desk={desk} call={call} />
      {call.phase !== 'sending' && call.head && call.body ? (
        <AnswerTabs key={call.id} desk={desk} call={call} head={call.head} body={call.body} />
      ) : null}
    </section>
  )
}

function AnswerHead({ desk, call }: AnswerProps) {
  if (call.phase === 'none') return null
  const head = call.phase === 'sending' ? undefined : call.head
  const size = call.phase === 'sending' ? undefined : call.body?.size
  const fault = faultOf(head)
  const save = () => {
    const blob = desk.answer()
    if (blob) saveAs(blob, fileNameOf(call.draft.name, head?.type ?? '', dispositionOf(head)))
  }
  return (
    <div className={styles.answerHead}>
      <output className={styles.answerFacts}>
        {head ? (
          <Chip tone={toneOf(head.status)}>
            {head.status} {head.statusText}
          </Chip>
        ) : (
          <Chip tone={isUnderWay(call) ? 'pending' : 'fail'} pending={isUnderWay(call)}>
            {isUnderWay(call) ? 'sent' : 'no answer'}
          </Chip>
        )}
        {isUnderWay(call) ? <Spinner size={11} /> : null}
        <span className={styles.phase}>{PHASES[call.phase]}</span>
      </output>
      {isUnderWay(call) ? (
        <Elapsed key={call.id} id={call.id} />
      ) : (
        <span className={styles.duration}>{formatMs(call.duration)}</span>
      )}
      {size === undefined ? null : <span className={styles.duration}>{formatSize(size)}</span>}
      {fault === undefined ? null : <Chip tone="inject">fault {fault}</Chip>}
      <span className={styles.answerActions}>
        <RequestLink of={call.request} />
        <Button
          size="s"
          icon={<Download size={13} aria-hidden />}
          isDisabled={size === undefined || size === 0}
          onPress={save}
        >
          Save
        </Button>
      </span>
    </div>
  )
}

const dispositionOf = (head: Head | undefined): string | null =>
  head?.headers.find(([name]) => name.toLowerCase() === 'content-disposition')?.[1] ?? null

function Said({ desk, call }: AnswerProps) {
  const { url } = useClient()
  const words = answerWords(call, !url.startsWith(location.origin))
  if (words === undefined) return null
  return (
    <Notice tone={words.tone}>
      {words.text}{' '}
      {isUnderWay(call) ? null : (
        <Button size="s" icon={<RotateCcw size={12} aria-hidden />} onPress={desk.send}>
          Call again
        </Button>
      )}
    </Notice>
  )
}

interface AnswerTabsProps extends AnswerProps {
  readonly head: Head
  readonly body: Body
}

/** A stream begins with its parts, anything else with its body. */
function AnswerTabs({ desk, call, head, body }: AnswerTabsProps) {
  const isStream = head.kind === 'events' || head.kind === 'lines'
  const [tab, setTab] = useState(isStream ? 'parts' : 'body')
  const parts = {
    id: 'parts',
    title: `${head.kind === 'events' ? 'Events' : head.kind === 'lines' ? 'Lines' : 'Pieces'} ${(body.parts.length + body.dropped).toLocaleString('en')}`,
    content: <AnswerParts body={body} isRunning={isUnderWay(call)} />,
  }
  const hasParts = isStream || (head.kind === 'text' && body.parts.length > 1)
  return (
    <div className={styles.answerTabs}>
      <Tabs
        label="Parts of the answer"
        selected={tab}
        onSelect={setTab}
        items={[
          ...(isStream ? [parts] : []),
          {
            id: 'body',
            title: 'Body',
            content: <AnswerBody desk={desk} head={head} body={body} isRunning={isUnderWay(call)} />,
          },
          ...(hasParts && !isStream ? [parts] : []),
          {
            id: 'headers',
            title: `Headers ${head.headers.length}`,
            content: <Headers head={head} />,
          },
          { id: 'times', title: 'Times', content: <AnswerTimes call={call} head={head} /> },
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
