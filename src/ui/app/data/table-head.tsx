// The header of a table's page: name, row count and actions.
import { BetweenHorizontalStart, Plus, RotateCw } from 'lucide-react'
import { Button, IconButton } from '../../widgets/button.tsx'
import { RequestLink } from '../requests/request-link.tsx'
import { PageHead } from '../shell/page.tsx'
import styles from './data.module.css'
import { LiveMark } from './live-mark.tsx'
import { type Pages, rowCount } from '../../../services/workbench/table/index.ts'
import { SchemaPicker } from './schema-picker.tsx'
import { TablePicker } from './table-picker.tsx'
import type { GridModel } from './table-view.tsx'
import type { TableModel } from './use-table.ts'
import { plural } from '../../../services/workbench/text/index.ts'

/** Inline rows need existing rows below them: in an empty table the form is used. */
export const canInsert = ({ pages: { info, state } }: TableModel) =>
  info.rights.insert && info.columns.length > 0 && rowCount(state) > 0

const countText = ({ phase, total, isExact }: Pages) => {
  if (phase === 'loading' || total === null) return undefined
  const text = plural(total, 'row')
  return isExact ? text : `about ${text}`
}

export interface TableHeadProps {
  readonly table: TableModel
  readonly grid: GridModel
  readonly onNew: () => void
}

/** On one line if there is room. */
export function TableHead({ table, grid, onNew }: TableHeadProps) {
  const { query, pages } = table
  const { info, state } = pages
  return (
    <PageHead
      title={<TablePicker table={query.table} />}
      note={
        <span className={styles.note}>
          {countText(state)}
          <span className={styles.narrowOnly}>
            <SchemaPicker />
          </span>
        </span>
      }
    >
      <span className={styles.wideOnly}>
        <SchemaPicker />
      </span>
      <RequestLink of={pages.request} />
      <LiveMark status={pages.channel} />
      <IconButton label="Refresh rows" onPress={pages.reload}>
        <RotateCw size={15} />
      </IconButton>
      {canInsert(table) ? (
        <span className={styles.wideOnly}>
          <IconButton
            label="Add row inline"
            shortcut="Insert"
            isOn={grid.inserts}
            onPress={() => grid.setInserts(!grid.inserts)}
          >
            <BetweenHorizontalStart size={15} />
          </IconButton>
        </span>
      ) : null}
      {info.rights.insert ? (
        <Button
          variant="primary"
          icon={<Plus size={15} aria-hidden />}
          isDisabled={state.phase === 'loading'}
          onPress={onNew}
        >
          New row
        </Button>
      ) : null}
    </PageHead>
  )
}
