// The Data section: a table by its name in the address, or the choice of one.
import { Navigate, useParams } from '@tanstack/react-router'
import { Database } from 'lucide-react'
import { useState } from 'react'
import { useTitle } from '../hooks.ts'
import { PageHead } from '../shell/page.tsx'
import { Redirect } from '../shell/redirect.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../widgets/state.tsx'
import { Button } from '../../widgets/button.tsx'
import { MissingTable } from './missing/missing-table.tsx'
import { UnservedSchema } from './missing/unserved-schema.tsx'
import { OpenTable } from './open-table.tsx'
import { SchemaPicker } from './schema-picker.tsx'
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
        The backend does not answer. Chartroom tries again by itself.
      </ErrorState>
    )
  return (
    <>
      <PageHead title="Data">
        <SchemaPicker />
      </PageHead>
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

/** A table of the same name in another schema is another table. */
function InSchema({ table }: { readonly table: string }) {
  const { schema, phase, info } = useTables()
  const name = `${schema}.${table}`
  // A list may leave out what can be read all the same.
  const [asked, ask] = useState<string>()
  if (phase === 'unserved') return <UnservedSchema />
  if (phase === 'known' && info(table) === undefined && asked !== name)
    return <MissingTable key={name} table={table} onAsk={() => ask(name)} />
  return <TableView key={name} table={table} />
}

/** Rows of the table in the address. */
export function DataPage() {
  const { table } = useParams({ strict: false })
  return table === undefined ? <ChooseTable /> : <InSchema table={table} />
}
