// How a file is read and how its rows are sent: the choices above the preview.
import { Select } from '../../../widgets/select.tsx'
import type { Column } from '../../data/schema.ts'
import { DELIMITERS, type Delimiter } from '../csv/csv-reader.ts'
import styles from '../tools.module.css'
import type { ImportChoices, OnDuplicate } from './import-state.ts'
import type { EmptyMeans } from './import-types.ts'
import type { FileRows } from './read-file.ts'

const DELIMITER_NAMES: Readonly<Record<Delimiter, string>> = {
  ',': 'Comma',
  ';': 'Semicolon',
  '\t': 'Tab',
  '|': 'Bar',
}
const EMPTY: readonly { readonly id: EmptyMeans; readonly label: string }[] = [
  { id: 'null', label: 'Null' },
  { id: 'default', label: 'The column’s default' },
  { id: 'text', label: 'An empty text, where it is one' },
]
const SENDING = [
  { id: 'batches', label: 'Every row that can be' },
  { id: 'whole', label: 'All rows or none' },
] as const
const DUPLICATES: readonly { readonly id: OnDuplicate; readonly label: string }[] = [
  { id: 'refuse', label: 'Is refused' },
  { id: 'skip', label: 'Is passed over' },
  { id: 'update', label: 'Takes the place of the old' },
]

export interface ImportChoicesProps {
  readonly rows: FileRows
  readonly choices: ImportChoices
  readonly keys: readonly Column[]
  readonly onChoose: (choices: Partial<ImportChoices>) => void
  readonly onDelimiter: (delimiter: Delimiter) => void
}

/** CSV has more to be said about than JSON. */
export function ImportChoicesBar({ rows, choices, keys, onChoose, onDelimiter }: ImportChoicesProps) {
  return (
    <div className={styles.choices}>
      {rows.kind === 'json' ? null : (
        <>
          <Select
            label="Fields are separated by"
            options={DELIMITERS.map(id => ({ id, label: DELIMITER_NAMES[id] }))}
            value={rows.delimiter}
            onChange={onDelimiter}
          />
          <Select
            label="The first row"
            options={[
              { id: 'names', label: 'Names the columns' },
              { id: 'values', label: 'Has values' },
            ]}
            value={choices.hasHead ? 'names' : 'values'}
            onChange={id => onChoose({ hasHead: id === 'names' })}
          />
          <Select
            label="An empty field is"
            options={EMPTY}
            value={choices.empty}
            onChange={empty => onChoose({ empty })}
          />
        </>
      )}
      {keys.length === 0 ? null : (
        <Select
          label={`A row whose ${keys.map(({ name }) => name).join(', ')} is there already`}
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
