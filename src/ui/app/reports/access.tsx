// Whether the signed-in account can read reports, and how many groups are open: small requests, only where the
// project may have reports.
import { createContext, use, useMemo, useState, type ReactNode } from 'react'
import { useLocation } from '@tanstack/react-router'
import { countOpenGroups, readAccess, type ReportsAccess } from '../../../services/workbench/reports/index.ts'
import { useTables } from '../data/tables.tsx'
import { usePageRequest } from '../use-page-request.ts'
import type { Failure } from '../../../services/client/index.ts'

export interface ReportsAccessState {
  /** Undefined until it is known. */
  readonly access: ReportsAccess | undefined
  /** Number of open groups. */
  readonly open: number
  readonly failure: Failure | undefined
  readonly reload: () => void
}

const AccessContext = createContext<ReportsAccessState>({
  access: undefined,
  open: 0,
  failure: undefined,
  reload: () => undefined,
})

/** Asks once the list of tables has the groups, or the page of reports was opened. */
export function ReportsAccessProvider({ children }: { readonly children: ReactNode }) {
  const { hasReports } = useTables()
  const isOpen = useLocation({ select: ({ pathname }) => pathname.startsWith('/reports') })
  const isDue = isOpen || hasReports
  // Another schema in the URL lists other tables, and the account is still a member.
  const [wasDue, setDue] = useState(false)
  if (isDue && !wasDue) setDue(true)
  const { data, failure, reload } = usePageRequest(
    isDue || wasDue ? ['reports access'] : undefined,
    async database => {
      const access = await readAccess(database)
      return { access, open: access === 'member' ? await countOpenGroups(database) : 0 }
    },
  )
  const value = useMemo(
    () => ({ access: data?.access, open: data?.open ?? 0, failure, reload }),
    [data, failure, reload],
  )
  return <AccessContext value={value}>{children}</AccessContext>
}

export const useReportsAccess = (): ReportsAccessState => use(AccessContext)
