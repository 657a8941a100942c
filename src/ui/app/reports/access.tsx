// Whether the signed-in account can read reports: one small request, only where the project may have them.
import { createContext, use, useMemo, useState, type ReactNode } from 'react'
import { useLocation } from '@tanstack/react-router'
import { GROUPS_TABLE, readAccess, type ReportsAccess } from '../../../services/workbench/reports/index.ts'
import { useTables } from '../data/tables.tsx'
import { usePageRequest } from '../use-page-request.ts'
import type { Failure } from '../../../services/client/index.ts'

export interface ReportsAccessState {
  /** Undefined until it is known. */
  readonly access: ReportsAccess | undefined
  readonly failure: Failure | undefined
  readonly reload: () => void
}

const AccessContext = createContext<ReportsAccessState>({
  access: undefined,
  failure: undefined,
  reload: () => undefined,
})

/** Asks once the list of tables has the groups, or the page of reports was opened. */
export function ReportsAccessProvider({ children }: { readonly children: ReactNode }) {
  const { tables, schema } = useTables()
  const isOpen = useLocation({ select: ({ pathname }) => pathname.startsWith('/reports') })
  const isDue = isOpen || (schema === 'public' && tables.includes(GROUPS_TABLE))
  // Another schema in the URL lists other tables, and the account is still a member.
  const [wasDue, setDue] = useState(false)
  if (isDue && !wasDue) setDue(true)
  const { data, failure, reload } = usePageRequest(
    isDue || wasDue ? ['reports access'] : undefined,
    database => readAccess(database),
  )
  const value = useMemo(() => ({ access: data, failure, reload }), [data, failure, reload])
  return <AccessContext value={value}>{children}</AccessContext>
}

export const useReportsAccess = (): ReportsAccessState => use(AccessContext)
