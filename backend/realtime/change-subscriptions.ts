// The row changes of a channel: turns the join's requests into subscriptions, or reports why they fail.
import type { Subscription } from './changes.ts'
import type { Channel } from './channel.ts'
import type { AskedChange } from './join-config.ts'
import type { RealtimeContext } from './realtime-context.ts'

/** Turns requests into live subscriptions and reports success or the error. */
export async function subscribeChanges(channel: Channel, { changes }: RealtimeContext): Promise<void> {
  const unreadable = channel.changes.find(({ request }) => !request)
  if (unreadable) return channel.system('postgres_changes', 'error', describe(unreadable))
  try {
    const subscriptions: Subscription[] = []
    for (const { request, id } of channel.changes) {
      if (request) subscriptions.push(await changes.check(request, id, channel.claims))
    }
    if (channel.isClosed) return
    channel.subscriptions = subscriptions
    announceChanges(channel)
  } catch (error) {
    channel.system('postgres_changes', 'error', error instanceof Error ? error.message : String(error))
  }
}

/** Reports that row changes are active. */
export function announceChanges(channel: Channel): void {
  channel.system('postgres_changes', 'ok', 'Subscribed to PostgreSQL')
}

function describe({ rawConfig: change }: AskedChange): string {
  const words =
    'No subscription params provided. Please provide at least a `schema` or `table` to subscribe to'
  return `${words}: ${'user_token' in change || 'auth_token' in change ? '<redacted>' : JSON.stringify(change)}`
}
