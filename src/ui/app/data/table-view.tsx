// One table: its rows, their order and page, and the dialogs that write them.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../widgets/button.tsx'
import { useTitle } from '../hooks.ts'
import { PageHead } from '../shell/page.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { LiveMark } from './live-mark.tsx'
import { Pager } from './pager.tsx'
import { RowDialog } from './row-dialog.tsx'
import { defaultSort, PAGE_SIZE, type RowsState, type Sort } from './rows.ts'
import { RowsPane } from './rows-pane.tsx'
import type { Row } from './schema.ts'
import { TablePicker } from './table-picker.tsx'
import { useTables } from './tables.tsx'
import { useRows } from './use-rows.ts'
import { useWrites } from './use-write.ts'

type Editing = { readonly kind: 'new' } | { readonly kind: 'edit' | 'delete'; readonly row: Row }

const countText = ({ phase, count }: RowsState) => {
  if (phase !== 'ready' || count === null) return undefined
  return `${count.toLocaleString('en')} ${count === 1 ? 'row' : 'rows'} that you may see`
}

/** The table named `table`. */
export function TableView({ table }: { readonly table: string }) {
  useTitle(table)
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const known = useTables().info(table)
  const chosen: Sort | undefined =
    search.sort === undefined || search.sort === ''
      ? undefined
      : { column: search.sort, direction: search.dir ?? 'asc' }
  const sort = chosen ?? defaultSort(known)
  const page = search.page ?? 1
  const { state, info, live, reload } = useRows({ table, sort, page }, known)
  const writes = useWrites(info)
  const [editing, setEditing] = useState<Editing>()
  const close = () => setEditing(undefined)
  const go = (next: { sort?: string; dir?: 'asc' | 'desc'; page?: number }) =>
    void navigate({ to: '/data/$table', params: { table }, search: next })
  const kept = chosen === undefined ? {} : { sort: chosen.column, dir: chosen.direction }
  return (
    <>
      <PageHead title={<TablePicker table={table} />} note={countText(state)}>
        <LiveMark status={live} />
        <Button
          variant="primary"
          icon={<Plus size={15} aria-hidden />}
          isDisabled={state.phase !== 'ready'}
          onPress={() => setEditing({ kind: 'new' })}
        >
          New row
        </Button>
      </PageHead>
      <RowsPane
        state={state}
        info={info}
        sort={sort}
        onSort={next => go({ sort: next.column, dir: next.direction })}
        onRetry={reload}
        onNew={() => setEditing({ kind: 'new' })}
        onFirstPage={() => go(kept)}
        onStartOver={() => go({})}
        onEdit={row => setEditing({ kind: 'edit', row })}
        onDelete={row => setEditing({ kind: 'delete', row })}
      />
      <Pager page={page} size={PAGE_SIZE} count={state.count} onPage={next => go({ ...kept, page: next })} />
      {editing?.kind === 'delete' ? (
        <DeleteDialog info={info} row={editing.row} writes={writes} onDone={reload} onClose={close} />
      ) : null}
      {editing?.kind === 'new' ? (
        <RowDialog info={info} writes={writes} onDone={reload} onClose={close} />
      ) : null}
      {editing?.kind === 'edit' ? (
        <RowDialog info={info} row={editing.row} writes={writes} onDone={reload} onClose={close} />
      ) : null}
    </>
  )
}
