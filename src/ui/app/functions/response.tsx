// The response to a call, shown from its first byte: status, times, body and headers.
import { RotateCcw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useClient } from '../../react/index.ts'
import { Button } from '../../widgets/button.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import { Tabs } from '../../widgets/tabs.tsx'
import { Notice } from '../shell/page.tsx'
import { ResponseBody } from './response-body.tsx'
import { ResponseHead } from './response-head.tsx'
import { ResponseParts } from './response-parts.tsx'
import { ResponseTimes } from './response-times.tsx'
import {
  type Body,
  type CallState,
  describeResponse,
  type FunctionCallStore,
  type Head,
  isUnderWay,
  waitOf,
} from '../../../services/workbench/functions/index.ts'
import styles from './functions.module.css'
import { formatCount } from '../../../services/workbench/text/index.ts'

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
  const [left, setLeft] = useState(wait ?? 0)
  useEffect(() => {
    if (wait === undefined) return
    const timer = setInterval(() => setLeft(seconds => Math.max(0, seconds - 1)), 1_000)
    return () => clearInterval(timer)
  }, [wait])
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
