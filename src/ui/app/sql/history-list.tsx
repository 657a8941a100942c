// Scripts that were run from this browser: load one into the editor, or remove it.
import { Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { Chip, type Tone } from '../../widgets/pill.tsx'
import type { SqlEntry, SqlStore } from '../../../services/workbench/sql/index.ts'
import { formatMs, plural, formatTime } from '../../../services/workbench/text/index.ts'
import styles from './sql.module.css'

export interface HistoryListProps {
  readonly store: SqlStore
  readonly history: readonly SqlEntry[]
}

const ENDS: Readonly<Record<NonNullable<SqlEntry['end']>, readonly [tone: Tone, text: string]>> = {
  done: ['ok', 'done'],
  failed: ['fail', 'failed'],
  canceled: ['stale', 'canceled'],
  timedOut: ['pending', 'time limit'],
  tooLarge: ['pending', 'too large'],
}

const MODES: Readonly<Record<SqlEntry['mode'], string>> = {
  run: '',
  rollBack: 'rolled back',
  explain: 'explain',
  explainAnalyze: 'explain analyze',
}

export function HistoryList({ store, history }: HistoryListProps) {
  const [words, setWords] = useState('')
  const [isSure, setSure] = useState(false)
  const wanted = words.trim().toLowerCase()
  const entries = history.filter(({ sql, as }) => `${sql} ${as}`.toLowerCase().includes(wanted))
  return (
    <section className={styles.history} aria-label="History">
      <div className={styles.historyHead}>
        <h2 className={styles.historyTitle}>History</h2>
        {history.length === 0 ? null : (
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
        )}
      </div>
      {history.length < 6 ? null : (
        <TextField
          label="Filter history"
          hideLabel
          placeholder="Filter"
          value={words}
          onChange={setWords}
          autoComplete="off"
        />
      )}
      {history.length === 0 ? (
        <p className={styles.faint}>Scripts that you run are listed here, and stay in this browser.</p>
      ) : null}
      {history.length > 0 && entries.length === 0 ? (
        <p className={styles.faint}>Nothing matches “{words}”.</p>
      ) : null}
      <ul className={styles.entries}>
        {entries.map(entry => (
          <Entry key={entry.id} store={store} entry={entry} />
        ))}
      </ul>
    </section>
  )
}

/** The script in one line. */
const lineOf = (sql: string): string => sql.replaceAll(/\s+/g, ' ').trim().slice(0, 200)

function Entry({ store, entry }: { readonly store: SqlStore; readonly entry: SqlEntry }) {
  const { sql, end, as, mode, ms, rows, at } = entry
  const [tone, text] = end === undefined ? (['pending', 'not known'] as const) : ENDS[end]
  const line = lineOf(sql)
  const about = [as, MODES[mode], ms === undefined ? '' : formatMs(ms), rows ? plural(rows, 'row') : '']
  return (
    <li className={styles.entry}>
      <button
        type="button"
        className={styles.entryText}
        title="Load into the editor"
        onClick={() => store.load(sql)}
      >
        <code className={styles.entrySql}>{line}</code>
        <span className={styles.entryAbout}>
          <Chip tone={tone}>{text}</Chip> {about.filter(part => part !== '').join(' · ')}{' '}
          <time dateTime={at}>{formatTime(at)}</time>
        </span>
      </button>
      <IconButton
        label={`Remove ${line.slice(0, 40)}`}
        size="s"
        noTooltip
        onPress={() => store.forget(entry.id)}
      >
        <X size={13} />
      </IconButton>
    </li>
  )
}
