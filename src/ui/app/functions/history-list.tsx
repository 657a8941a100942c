// The call history: load a call into the form, or send it again.
import { Play, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { Chip } from '../../widgets/pill.tsx'
import {
  findEntries,
  type FunctionCallStore,
  type HistoryEntry,
} from '../../../services/workbench/functions/index.ts'
import styles from './functions.module.css'
import { formatMs } from '../../../services/workbench/text/index.ts'
import { formatTime } from '../../widgets/format.ts'

export interface HistoryListProps {
  readonly store: FunctionCallStore
  readonly history: readonly HistoryEntry[]
}

export function HistoryList({ store, history }: HistoryListProps) {
  const [words, setWords] = useState('')
  const [isSure, setSure] = useState(false)
  if (history.length === 0) return null
  const shown = findEntries(history, words)
  return (
    <section className={styles.history} aria-label="History">
      <div className={styles.historyHead}>
        <h2 className={styles.historyTitle}>History ({history.length})</h2>
        <TextField
          label="Filter history"
          hideLabel
          value={words}
          onChange={setWords}
          placeholder="Filter"
          autoComplete="off"
        />
        <Button
          size="s"
          variant={isSure ? 'danger' : 'quiet'}
          icon={<Trash2 size={13} aria-hidden />}
          onBlur={() => setSure(false)}
          onPress={() => {
            if (isSure) store.clearHistory()
            setSure(!isSure)
          }}
        >
          {isSure ? 'Confirm clear' : 'Clear'}
        </Button>
      </div>
      {shown.length === 0 ? <p className={styles.hint}>No calls match “{words}”.</p> : null}
      <ul className={styles.entries}>
        {shown.map(entry => (
          <Entry key={entry.id} store={store} entry={entry} />
        ))}
      </ul>
    </section>
  )
}

function Entry({ store, entry }: { readonly store: FunctionCallStore; readonly entry: HistoryEntry }) {
  const { draft, status, outcome } = entry
  const name = `${draft.method} ${draft.name}`
  const isGood = outcome === 'done' && status !== null && status < 400
  return (
    <li className={styles.entry}>
      <button
        type="button"
        className={styles.entryName}
        title="Load into form"
        onClick={() => store.load(draft)}
      >
        <span className={styles.entryMethod}>{draft.method}</span>
        <span className={styles.entryPath}>{draft.name}</span>
        <Chip tone={isGood ? 'ok' : outcome === 'canceled' ? 'stale' : 'fail'}>
          {outcome === 'canceled'
            ? 'canceled'
            : status === null
              ? 'no response'
              : outcome === 'failed'
                ? 'interrupted'
                : status}
        </Chip>
        <span className={styles.entryTime}>{formatMs(entry.duration)}</span>
        <time className={styles.entryTime} dateTime={entry.at}>
          {formatTime(entry.at)}
        </time>
      </button>
      <IconButton
        label={`Send ${name} again`}
        size="s"
        noTooltip
        onPress={() => {
          store.load(draft)
          store.send()
        }}
      >
        <Play size={13} />
      </IconButton>
      <IconButton label={`Remove ${name}`} size="s" noTooltip onPress={() => store.forget(entry.id)}>
        <X size={13} />
      </IconButton>
    </li>
  )
}
