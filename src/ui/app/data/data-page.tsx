// The Data section: the table named in the URL, or a table picker.
import { Navigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTitle } from '../hooks.ts'
import { Redirect } from '../shell/redirect.tsx'
import { MissingTable, UnservedSchema } from './missing/missing-table.tsx'
import { NoTables, Unavailable } from './missing/no-tables.tsx'
import { TableView } from './table-view.tsx'
import { inSchema, useTables } from './tables.tsx'

function ChooseTable() {
  const { tables, schema } = useTables()
  const first = tables[0]
  useTitle('Data')
  if (first !== undefined)
    return (
      <Redirect>
        <Navigate to="/data/$table" params={{ table: first }} search={inSchema(schema)} replace />
      </Redirect>
    )
  return <NoTables title="Data" />
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
