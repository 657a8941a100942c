// The header of a table's page: name, row count and actions.
import { BetweenHorizontalStart, ChevronDown, Plus, RotateCw } from 'lucide-react'
import { memo, useState } from 'react'
import { Button, IconButton } from '../../widgets/button.tsx'
import { RequestLink } from '../requests/request-link.tsx'
import { describeTrouble } from '../shell/describe-trouble.ts'
import { troubleLabel } from '../shell/health.ts'
import { PageHead } from '../shell/page.tsx'
import { useBackendTrouble } from '../shell/use-backend-trouble.ts'
import styles from './data.module.css'
import { type Pages, reloadText } from '../../../services/workbench/table/index.ts'
import { SchemaPicker, OpenTable } from './schema-picker.tsx'
import { canInsert } from './use-grid.ts'
import type { TableModel } from './use-table.ts'
import { plural } from '../../../services/workbench/text/index.ts'
import type { ChannelStatus } from '../../../services/client/index.ts'
import { explainChannel } from '../../../services/workbench/realtime/index.ts'
import { Chip } from '../../widgets/pill.tsx'
import { lazyPart } from '../lazy-part.tsx'
import { useTables } from './tables.tsx'

const countText = ({ phase, total, isExact }: Pages, isFiltered: boolean) => {
  if (phase === 'loading' || total === null) return undefined
  const text = plural(total, isFiltered ? 'matching row' : 'row')
  return isExact ? text : `about ${text}`
}

export interface TableHeadProps {
  readonly table: TableModel
  /** Whether the inline draft row is open. */
  readonly inserts: boolean
  readonly setInserts: (inserts: boolean) => void
  readonly onNew: () => void
}

/** On one line if there is room. */
export const TableHead = memo(function TableHead({ table, inserts, setInserts, onNew }: TableHeadProps) {
  const { query, pages } = table
  const { info, state } = pages
  return (
    <PageHead
      title={<TablePicker table={query.table} />}
      note={
        <span className={styles.note} title={pages.reason && `Last loaded: ${reloadText(pages.reason)}`}>
          {countText(state, query.filters.length > 0)}
          <span className={styles.narrowOnly}>
            <SchemaPicker />
          </span>
        </span>
      }
    >
      <span className={styles.wideOnly}>
        <SchemaPicker />
      </span>
      <RequestLink of={pages.request} isNamed />
      <LiveMark status={pages.channel} />
      <IconButton label="Refresh rows" onPress={() => pages.reload({ kind: 'user' })}>
        <RotateCw size={15} />
      </IconButton>
      {canInsert(table) ? (
        <span className={styles.wideOnly}>
          <IconButton
            label="Add row inline"
            isNamed
            shortcut="Insert"
            isOn={inserts}
            onPress={() => setInserts(!inserts)}
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
})

/** A status chip; its title gives the reason. */
function LiveMark({ status }: { readonly status: ChannelStatus }) {
  const trouble = useBackendTrouble()
  const label = troubleLabel(trouble)
  if (label !== undefined && trouble !== undefined)
    return (
      <Chip tone="fail" title={describeTrouble(trouble, 'The backend').summary}>
        {label}
      </Chip>
    )
  const reason = status.reason === undefined ? undefined : explainChannel(status.reason)
  if (status.phase === 'denied' || status.postgres === 'configError')
    return (
      <Chip tone="fail" title={reason ?? 'The backend refused to send changes for this table.'}>
        not live
      </Chip>
    )
  if (status.phase === 'joined' && status.postgres === 'live')
    return (
      <Chip tone="ok" title="Changes appear as they happen.">
        live
      </Chip>
    )
  return (
    <Chip tone="pending" pending title={reason ?? 'Changes will appear after the channel joins.'}>
      {wordFor(status)}
    </Chip>
  )
}

/** Offline, the channel does not join: it waits. */
function wordFor({ phase, postgres }: ChannelStatus): string {
  if (phase === 'waiting') return 'waiting'
  return phase === 'retrying' || postgres === 'retrying' ? 'rejoining' : 'joining'
}

const TablePickerDialog = lazyPart(
  'the list of tables',
  async () => (await import('./list/table-picker-dialog.tsx')).TablePickerDialog,
  { whileLoading: null, giveUp: ({ onClose }) => onClose() },
)

/** A title, in narrow windows a button that opens the list; backends without a table list get a name field. */
function TablePicker({ table }: { readonly table: string }) {
  const { phase } = useTables()
  const [isOpen, setOpen] = useState(false)
  return (
    <span className={styles.picker}>
      <span className={styles.wideOnly}>{table}</span>
      <span className={styles.narrowOnly}>
        <Button
          aria-label={`Table ${table}`}
          icon={<ChevronDown size={14} aria-hidden />}
          onPress={() => setOpen(true)}
        >
          {table}
        </Button>
      </span>
      {isOpen ? <TablePickerDialog onClose={() => setOpen(false)} /> : null}
      {phase === 'refused' ? <OpenTable /> : null}
    </span>
  )
}
