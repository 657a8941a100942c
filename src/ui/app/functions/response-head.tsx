// The first line of a response: status, progress, duration and size.
import { Download, Workflow } from 'lucide-react'
import { useState } from 'react'
import { useClient } from '../../react/index.ts'
import { Button } from '../../widgets/button.tsx'
import { Chip, type Tone } from '../../widgets/pill.tsx'
import { saveAs } from '../../widgets/save-as.ts'
import { Spinner } from '../../widgets/spinner.tsx'
import { useInterval } from '../../widgets/time.ts'
import { formatMs, formatSize } from '../../../services/workbench/text/index.ts'
import { useClock } from '../hooks.ts'
import { workRecordings } from '../work-recordings.ts'
import { RequestLink } from '../requests/request-link.tsx'
import {
  type CallState,
  faultOf,
  fileNameOf,
  type FunctionCallStore,
  type Head,
  isUnderWay,
} from '../../../services/workbench/functions/index.ts'
import styles from './functions.module.css'

const toneOf = (status: number | undefined): Tone => {
  if (status === undefined || status >= 400) return 'fail'
  return status < 300 ? 'ok' : 'pending'
}

const PHASES: Readonly<Record<Exclude<CallState['phase'], 'none'>, string>> = {
  sending: 'waiting for the response',
  receiving: 'receiving',
  done: 'complete',
  failed: 'failed',
  canceled: 'canceled',
}

/** Time since sending, while the call is pending. */
function Elapsed() {
  const now = useClock()
  const [began] = useState(now)
  const [at, setAt] = useState(began)
  useInterval(() => setAt(now()), 100)
  return <span className={styles.duration}>{formatMs(at - began)}</span>
}

export interface ResponseHeadProps {
  readonly store: FunctionCallStore
  readonly call: Exclude<CallState, { readonly phase: 'none' }>
}

export function ResponseHead({ store, call }: ResponseHeadProps) {
  const head = call.phase === 'sending' ? undefined : call.head
  const size = call.phase === 'sending' ? undefined : call.body?.size
  const fault = faultOf(head)
  const client = useClient()
  const save = () => {
    const blob = store.answer()
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
            {isUnderWay(call) ? 'sent' : 'no response'}
          </Chip>
        )}
        {isUnderWay(call) ? <Spinner size={11} /> : null}
        <span className={styles.phase}>{PHASES[call.phase]}</span>
      </output>
      {isUnderWay(call) ? (
        <Elapsed key={call.id} />
      ) : (
        <span className={styles.duration}>{formatMs(call.duration)}</span>
      )}
      {size === undefined ? null : <span className={styles.duration}>{formatSize(size)}</span>}
      {fault === undefined ? null : <Chip tone="inject">fault {fault}</Chip>}
      <span className={styles.answerActions}>
        <RequestLink of={call.request} by={store.calledBy()} />
        <Button
          size="s"
          variant="quiet"
          icon={<Workflow size={13} aria-hidden />}
          onPress={() => workRecordings(client).show(store.job()?.recording)}
        >
          Open in console
        </Button>
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
