// Whether changes of the table arrive by themselves.
import type { ChannelStatus } from '../../../index.ts'
import { explainChannel } from '../channel-reason.ts'
import { Chip } from '../../widgets/pill.tsx'

/** A small state chip; its title tells the reason. */
export function LiveMark({ status }: { readonly status: ChannelStatus }) {
  const reason = status.reason === undefined ? undefined : explainChannel(status.reason)
  if (status.phase === 'denied' || status.postgres === 'configError')
    return (
      <Chip tone="fail" title={reason ?? 'The backend refused to send changes of this table.'}>
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
    <Chip tone="pending" pending title={reason ?? 'Changes will appear once the channel is joined.'}>
      {wordFor(status)}
    </Chip>
  )
}

/** Offline nothing joins: it waits. */
function wordFor({ phase, postgres }: ChannelStatus): string {
  if (phase === 'waiting') return 'waiting'
  return phase === 'retrying' || postgres === 'retrying' ? 'rejoining' : 'joining'
}
