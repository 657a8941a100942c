// Import options above the preview: how the file is read and its rows are sent.
import { Select } from '../../../widgets/select.tsx'
import {
  type Column,
  type Delimiter,
  DELIMITERS,
  type EmptyMeans,
  type FileRows,
  type ImportChoices,
  type OnDuplicate,
} from '../../../../services/workbench/table/index.ts'
import styles from '../tools.module.css'

const DELIMITER_NAMES: Readonly<Record<Delimiter, string>> = {
  ',': 'Comma',
  ';': 'Semicolon',
  '\t': 'Tab',
  '|': 'Bar',
}
const EMPTY: readonly { readonly id: EmptyMeans; readonly label: string }[] = [
  { id: 'null', label: 'Null' },
  { id: 'default', label: 'Column default' },
  { id: 'text', label: 'Empty text where possible' },
]
const SENDING = [
  { id: 'batches', label: 'Skip invalid rows' },
  { id: 'whole', label: 'All or nothing' },
] as const
const DUPLICATES: readonly { readonly id: OnDuplicate; readonly label: string }[] = [
  { id: 'refuse', label: 'Fail' },
  { id: 'skip', label: 'Skip' },
  { id: 'update', label: 'Overwrite' },
]

export interface ImportChoicesProps {
  readonly rows: FileRows
  readonly choices: ImportChoices
  readonly keys: readonly Column[]
  readonly onChoose: (choices: Partial<ImportChoices>) => void
  readonly onDelimiter: (delimiter: Delimiter) => void
}

/** CSV has more options than JSON. */
export function ImportChoicesBar({ rows, choices, keys, onChoose, onDelimiter }: ImportChoicesProps) {
  return (
    <div className={styles.choices}>
      {rows.kind === 'json' ? null : (
        <>
          <Select
            label="Delimiter"
            options={DELIMITERS.map(id => ({ id, label: DELIMITER_NAMES[id] }))}
            value={rows.delimiter}
            onChange={onDelimiter}
          />
          <Select
            label="First row"
            options={[
              { id: 'names', label: 'Column names' },
              { id: 'values', label: 'Values' },
            ]}
            value={choices.hasHead ? 'names' : 'values'}
            onChange={id => onChoose({ hasHead: id === 'names' })}
          />
          <Select
            label="Empty fields"
            options={EMPTY}
            value={choices.empty}
            onChange={empty => onChoose({ empty })}
          />
        </>
      )}
      {keys.length === 0 ? null : (
        <Select
          label={`If ${keys.map(({ name }) => name).join(', ')} already exists`}
          options={DUPLICATES}
          value={choices.onDuplicate}
          onChange={onDuplicate => onChoose({ onDuplicate })}
        />
      )}
      <Select
        label="Import"
        options={SENDING}
        value={choices.whole ? 'whole' : 'batches'}
        onChange={id => onChoose({ whole: id === 'whole' })}
      />
    </div>
  )
}
