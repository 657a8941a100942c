// The causes and the status of groups, as they are shown.
import type { ReportGroup } from '../../../services/workbench/reports/index.ts'
import { Chip } from '../../widgets/pill.tsx'
import { formatDateTime } from '../../../services/workbench/text/index.ts'

export const CAUSE_NAMES = {
  user: 'Reported by a user',
  error: 'Page error',
  signedOut: 'Signed out',
  invariant: 'Broken invariant',
} as const

const TONES = { open: 'fail', fixed: 'ok', ignored: 'stale' } as const

/** The status of a group, and whether it came back. */
export function StatusChips({ group }: { readonly group: ReportGroup }) {
  const { status, fixed_in: fixedIn, reopened_at: reopened } = group
  return (
    <>
      <Chip tone={TONES[status]}>{status === 'fixed' ? `fixed in ${fixedIn}` : status}</Chip>
      {status === 'open' && reopened !== null ? (
        <Chip tone="pending" title={`Reported again ${formatDateTime(reopened)}`}>
          reopened: was fixed in {fixedIn}
        </Chip>
      ) : null}
    </>
  )
}
