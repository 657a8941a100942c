// The Data section: a table by its name in the address, or the choice of one.
import { Navigate, useParams } from '@tanstack/react-router'
import { Database } from 'lucide-react'
import { useTitle } from '../hooks.ts'
import { PageHead } from '../shell/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../widgets/state.tsx'
import { Button } from '../../widgets/button.tsx'
import { OpenTable } from './open-table.tsx'
import { TableView } from './table-view.tsx'
import { useTables } from './tables.tsx'

function ChooseTable() {
  const { phase, tables, reload } = useTables()
  const first = tables[0]
  useTitle('Data')
  if (first !== undefined) return <Navigate to="/data/$table" params={{ table: first }} search={{}} replace />
  if (phase === 'loading') return <Skeleton />
  if (phase === 'failed')
    return (
      <ErrorState
        title="The list of tables could not be loaded"
        action={<Button onPress={reload}>Try again</Button>}
      >
        The backend does not answer. Chartroom tries again by itself.
      </ErrorState>
    )
  return (
    <>
      <PageHead title="Data" />
      <EmptyState
        icon={<Database size={22} aria-hidden />}
        title="Open a table by its name"
        action={<OpenTable />}
      >
        This backend does not tell publishable keys which tables it has. You can still work with every table
        that your policies open to you.
      </EmptyState>
    </>
  )
}

/** Rows of the table in the address. */
export function DataPage() {
  const { table } = useParams({ strict: false })
  return table === undefined ? <ChooseTable /> : <TableView key={table} table={table} />
}
