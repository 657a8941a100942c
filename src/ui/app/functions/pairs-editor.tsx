// Rows of names and values: query, headers, or form parts. The last row is always empty.
import { Paperclip, X } from 'lucide-react'
import { FileTrigger } from 'react-aria-components'
import { Button, IconButton } from '../../widgets/button.tsx'
import { Check } from '../../widgets/check.tsx'
import { TextField } from '../../widgets/field.tsx'
import type { Pair } from '../../../services/workbench/functions/index.ts'
import styles from './functions.module.css'

export interface PairsEditorProps {
  /** Label of one row. */
  readonly label: string
  readonly pairs: readonly Pair[]
  readonly onChange: (pairs: Pair[]) => void
  readonly error?: string | undefined
  readonly hint?: string
  /** Set when a value may be a file. */
  readonly onFile?: (id: string, file: File) => void
}

/** An unused id. */
const nextId = (pairs: readonly Pair[]): string =>
  `p${1 + Math.max(0, ...pairs.map(({ id }) => Number(/^p(\d+)$/.exec(id)?.[1] ?? 0)))}`

export function PairsEditor({ label, pairs, onChange, error, hint, onFile }: PairsEditorProps) {
  const rows: readonly Pair[] = [...pairs, { id: nextId(pairs), on: true, name: '', value: '' }]
  const put = (pair: Pair) =>
    onChange(
      pairs.some(({ id }) => id === pair.id)
        ? pairs.map(known => (known.id === pair.id ? pair : known))
        : [...pairs, pair],
    )
  return (
    <div className={styles.pairs}>
      {error === undefined ? null : (
        <p role="alert" className={styles.problem}>
          {error}
        </p>
      )}
      {rows.map((pair, index) => (
        <PairRow
          key={pair.id}
          title={`${label} ${index + 1}`}
          pair={pair}
          isNew={index === pairs.length}
          onChange={put}
          onRemove={() => onChange(pairs.filter(({ id }) => id !== pair.id))}
          onFile={onFile}
        />
      ))}
      {hint === undefined ? null : <p className={styles.hint}>{hint}</p>}
    </div>
  )
}

interface PairRowProps {
  readonly title: string
  readonly pair: Pair
  readonly isNew: boolean
  readonly onChange: (pair: Pair) => void
  readonly onRemove: () => void
  readonly onFile: PairsEditorProps['onFile']
}

function PairRow({ title, pair, isNew, onChange, onRemove, onFile }: PairRowProps) {
  const { fileName: _, ...plain } = pair
  return (
    <div className={styles.pair} role="group" aria-label={title} data-off={!pair.on}>
      <span className={styles.sent}>
        {isNew ? null : (
          <Check isOn={pair.on} onChange={on => onChange({ ...pair, on })} hideLabel>
            {title} enabled
          </Check>
        )}
      </span>
      <TextField
        label={`${title}: name`}
        hideLabel
        mono
        placeholder="name"
        value={pair.name}
        onChange={name => onChange({ ...pair, name })}
        autoComplete="off"
        spellCheck="false"
      />
      <TextField
        label={`${title}: value`}
        hideLabel
        mono
        placeholder="value"
        value={pair.fileName ?? pair.value}
        isReadOnly={pair.fileName !== undefined}
        onChange={value => onChange({ ...plain, value })}
        autoComplete="off"
        spellCheck="false"
      />
      {onFile === undefined ? null : (
        <FileTrigger
          onSelect={list => {
            const file = list?.[0]
            if (!file) return
            onFile(pair.id, file)
            onChange({ ...pair, fileName: file.name })
          }}
        >
          <Button size="s" icon={<Paperclip size={13} aria-hidden />} aria-label={`${title}: choose a file`}>
            File
          </Button>
        </FileTrigger>
      )}
      <IconButton label={`Remove ${title}`} size="s" noTooltip isDisabled={isNew} onPress={onRemove}>
        <X size={14} />
      </IconButton>
    </div>
  )
}
