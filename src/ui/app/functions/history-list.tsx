// The calls before: chosen to be written anew, or made again at once.
import { Play, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { Chip } from '../../widgets/pill.tsx'
import { findEntries, type HistoryEntry } from './call-history.ts'
import type { FunctionsDesk } from './functions-desk.ts'
import styles from './functions.module.css'
import { formatMs } from '../format.ts'

export interface HistoryListProps {
  readonly desk: FunctionsDesk
  readonly history: readonly HistoryEntry[]
}

export function HistoryList({ desk, history }: HistoryListProps) {
  const [words, setWords] = useState('')
  const [isSure, setSure] = useState(false)
  if (history.length === 0) return null
  const shown = findEntries(history, words)
  return (
    <section className={styles.history} aria-label="Calls before">
      <div className={styles.historyHead}>
        <h2 className={styles.historyTitle}>Calls before · {history.length}</h2>
        <TextField
          label="Find a call"
          hideLabel
          value={words}
          onChange={setWords}
          placeholder="Find"
          autoComplete="off"
        />
        <Button
          size="s"
          variant={isSure ? 'danger' : 'quiet'}
          icon={<Trash2 size={13} aria-hidden />}
          onBlur={() => setSure(false)}
          onPress={() => {
            if (isSure) desk.clearHistory()
            setSure(!isSure)
          }}
        >
          {isSure ? 'Forget all of them' : 'Forget all'}
        </Button>
      </div>
      {shown.length === 0 ? <p className={styles.hint}>None of them holds “{words}”.</p> : null}
      <ul className={styles.entries}>
        {shown.map(entry => (
          <Entry key={entry.id} desk={desk} entry={entry} />
        ))}
      </ul>
    </section>
  )
}

function Entry({ desk, entry }: { readonly desk: FunctionsDesk; readonly entry: HistoryEntry }) {
  const { draft, status, outcome } = entry
  const name = `${draft.method} ${draft.name}`
  const isGood = outcome === 'done' && status !== null && status < 400
  return (
    <li className={styles.entry}>
      <button
        type="button"
        className={styles.entryName}
        title="Write it anew"
        onClick={() => desk.load(draft)}
      >
        <span className={styles.entryMethod}>{draft.method}</span>
        <span className={styles.entryPath}>{draft.name}</span>
        <Chip tone={isGood ? 'ok' : outcome === 'stopped' ? 'stale' : 'fail'}>
          {outcome === 'stopped'
            ? 'stopped'
            : status === null
              ? 'no answer'
              : outcome === 'failed'
                ? 'broken off'
                : status}
        </Chip>
        <span className={styles.entryTime}>{formatMs(entry.duration)}</span>
        <time className={styles.entryTime} dateTime={entry.at}>
          {new Date(entry.at).toLocaleTimeString('en-GB')}
        </time>
      </button>
      <IconButton
        label={`Call ${name} again`}
        size="s"
        noTooltip
        onPress={() => {
          desk.load(draft)
          desk.send()
        }}
      >
        <Play size={13} />
      </IconButton>
      <IconButton label={`Forget ${name}`} size="s" noTooltip onPress={() => desk.forget(entry.id)}>
        <X size={13} />
      </IconButton>
    </li>
  )
}
