// Whether the table receives changes in real time.
import type { ChannelStatus } from '../../../services/client/index.ts'
import { explainChannel } from '../../../services/workbench/realtime/index.ts'
import { Chip } from '../../widgets/pill.tsx'

/** A status chip; its title gives the reason. */
export function LiveMark({ status }: { readonly status: ChannelStatus }) {
  const reason = status.reason === undefined ? undefined : explainChannel(status.reason)
  if (status.phase === 'denied' || status.postgres === 'configError')
    return (
      <Chip tone="fail" title={reason ?? 'The backend refused to send changes for this table.'}>
        not live
      </Chip>
    )
  if (status.phase === 'joined' && status.postgres === 'live')
    return (
      <Chip tone="ok" title="Changes appear as they happen.">
        live
      </Chip>
    )
  return (
    <Chip tone="pending" pending title={reason ?? 'Changes will appear after the channel joins.'}>
      {wordFor(status)}
    </Chip>
  )
}

/** Offline, the channel does not join: it waits. */
function wordFor({ phase, postgres }: ChannelStatus): string {
  if (phase === 'waiting') return 'waiting'
  return phase === 'retrying' || postgres === 'retrying' ? 'rejoining' : 'joining'
}
