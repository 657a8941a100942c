// In place of tables, while they load and where there are none.
import { Database } from 'lucide-react'
import { Button } from '../../../widgets/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../widgets/state.tsx'
import { PageHead } from '../../shell/page.tsx'
import { SchemaPicker } from '../schema-picker.tsx'
import { useTables } from '../tables.tsx'
import { UnservedSchema } from './missing-table.tsx'
import { TableWays } from './table-ways.tsx'

/** The words of the host, which the user may be able to follow. */
export function Unavailable() {
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

/** @param title of the page */
export function NoTables({ title }: { readonly title: string }) {
  const { phase, schema, problem, reload } = useTables()
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
  return (
    <>
      <PageHead title={title}>
        <SchemaPicker />
      </PageHead>
      {phase === 'known' ? (
        <EmptyState
          icon={<Database size={22} aria-hidden />}
          title="No tables"
          action={<Button onPress={reload}>Check again</Button>}
        >
          The schema <code>{schema}</code> has no table that your role may use.
        </EmptyState>
      ) : (
        <TableWays />
      )}
    </>
  )
}
