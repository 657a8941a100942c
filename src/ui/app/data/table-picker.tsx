// The table's name as page title; on narrow windows also the table picker.
import { useNavigate } from '@tanstack/react-router'
import { Select } from '../../widgets/select.tsx'
import styles from './data.module.css'
import { OpenTable } from './open-table.tsx'
import { inSchema, useTables } from './tables.tsx'

/** A title, and on narrow windows a select; backends without a table list get a name field. */
export function TablePicker({ table }: { readonly table: string }) {
  const { tables, phase, schema } = useTables()
  const navigate = useNavigate()
  const options = [...new Set([...tables, table])].map(name => ({ id: name, label: name }))
  return (
    <span className={styles.picker}>
      <span className={styles.wideOnly}>{table}</span>
      <span className={styles.narrowOnly}>
        <Select
          label="Table"
          hideLabel
          options={options}
          value={table}
          onChange={next =>
            void navigate({ to: '/data/$table', params: { table: next }, search: inSchema(schema) })
          }
        />
      </span>
      {phase === 'refused' ? <OpenTable /> : null}
    </span>
  )
}
