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
import { SchemaPicker } from './schema-picker.tsx'
import { TableWays } from './missing/table-ways.tsx'
import { TableView } from './table-view.tsx'
import { inSchema, useTables } from './tables.tsx'

function ChooseTable() {
  const { phase, tables, schema, problem, reload } = useTables()
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
        {problem}
      </ErrorState>
    )
  if (phase === 'unavailable') return <Unavailable />
  if (phase === 'known')
    return (
      <>
        <PageHead title="Data">
          <SchemaPicker />
        </PageHead>
        <EmptyState
          icon={<Database size={22} aria-hidden />}
          title="No tables"
          action={<Button onPress={reload}>Check again</Button>}
        >
          The schema <code>{schema}</code> has no table that your role may use.
        </EmptyState>
      </>
    )
  return (
    <>
      <PageHead title="Data">
        <SchemaPicker />
      </PageHead>
      <TableWays />
    </>
  )
}

/** The words of the host, which the user may be able to follow. */
function Unavailable() {
  const { refusal, reload } = useTables()
  return (
    <ErrorState
      title={refusal?.title ?? 'The backend is not available'}
      action={<Button onPress={reload}>Check again</Button>}
    >
      {refusal?.message}
    </ErrorState>
  )
}

/** Remounts per schema: tables with the same name in two schemas are different tables. */
function InSchema({ table }: { readonly table: string }) {
  const { schema, phase, info } = useTables()
  const name = `${schema}.${table}`
  // A table missing from the list may still be readable.
  const [asked, ask] = useState<string>()
  if (phase === 'unserved') return <UnservedSchema />
  if (phase === 'unavailable') return <Unavailable />
  if (phase === 'known' && info(table) === undefined && asked !== name)
    return <MissingTable key={name} table={table} onAsk={() => ask(name)} />
  return <TableView key={name} table={table} />
}

/** The rows of the table in the URL. */
export function DataPage() {
  const { table } = useParams({ strict: false })
  return table === undefined ? <ChooseTable /> : <InSchema table={table} />
}
