// The Data section: the table named in the URL, or a table picker.
import { Navigate, useParams } from '@tanstack/react-router'
import { Database } from 'lucide-react'
import { useState } from 'react'
import { useTitle } from '../hooks.ts'
import { PageHead } from '../shell/page.tsx'
import { Redirect } from '../shell/redirect.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../widgets/state.tsx'
import { Button } from '../../widgets/button.tsx'
import { MissingTable, UnservedSchema } from './missing/missing-table.tsx'
import { OpenTable, SchemaPicker } from './schema-picker.tsx'
import { TableView } from './table-view.tsx'
import { inSchema, useTables } from './tables.tsx'

function ChooseTable() {
  const { phase, tables, schema, reload } = useTables()
  const first = tables[0]
  useTitle('Data')
  if (first !== undefined)
    return (
      <Redirect>
        <Navigate to="/data/$table" params={{ table: first }} search={inSchema(schema)} replace />
      </Redirect>
    )
  if (phase === 'loading') return <Skeleton />
  if (phase === 'unserved') return <UnservedSchema />
  if (phase === 'failed')
    return (
      <ErrorState
        title="The list of tables could not be loaded"
        action={<Button onPress={reload}>Try again</Button>}
      >
        The backend is not responding. Retrying automatically.
      </ErrorState>
    )
  return (
    <>
      <PageHead title="Data">
        <SchemaPicker />
      </PageHead>
      <EmptyState
        icon={<Database size={22} aria-hidden />}
        title="Open a table by name"
        action={<OpenTable />}
      >
        This backend does not list its tables for publishable keys. You can still open any table your policies
        let you read.
      </EmptyState>
    </>
  )
}

/** Remounts per schema: tables with the same name in two schemas are different tables. */
function InSchema({ table }: { readonly table: string }) {
  const { schema, phase, info } = useTables()
  const name = `${schema}.${table}`
  // A table missing from the list may still be readable.
  const [asked, ask] = useState<string>()
  if (phase === 'unserved') return <UnservedSchema />
  if (phase === 'known' && info(table) === undefined && asked !== name)
    return <MissingTable key={name} table={table} onAsk={() => ask(name)} />
  return <TableView key={name} table={table} />
}

/** The rows of the table in the URL. */
export function DataPage() {
  const { table } = useParams({ strict: false })
  return table === undefined ? <ChooseTable /> : <InSchema table={table} />
}
