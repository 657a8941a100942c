// The row changes of a channel: what its join asked for becomes subscriptions, or a word on why not.
import type { Subscription } from './changes.ts'
import type { Channel } from './channel.ts'
import type { AskedChange } from './join-config.ts'
import type { Realm } from './realm.ts'

/** What a channel asked for, under the number that its messages bear. */
export type NumberedChange = AskedChange & { readonly id: number }

/** Turns requests into live subscriptions and says so, or says why not. */
export async function subscribeChanges(channel: Channel, { changes }: Realm): Promise<void> {
  const unreadable = channel.wanted.find(({ request }) => !request)
  if (unreadable) return channel.system('postgres_changes', 'error', describe(unreadable))
  try {
    const subscriptions: Subscription[] = []
    for (const { request, id } of channel.wanted) {
      if (request) subscriptions.push(await changes.check(request, id, channel.claims))
    }
    if (channel.isClosed) return
    channel.subscriptions = subscriptions
    announceChanges(channel)
  } catch (error) {
    channel.system('postgres_changes', 'error', error instanceof Error ? error.message : String(error))
  }
}

/** Says that row changes arrive. */
export function announceChanges(channel: Channel): void {
  channel.system('postgres_changes', 'ok', 'Subscribed to PostgreSQL')
}

function describe({ asked }: AskedChange): string {
  const words =
    'No subscription params provided. Please provide at least a `schema` or `table` to subscribe to'
  return `${words}: ${'user_token' in asked || 'auth_token' in asked ? '<redacted>' : JSON.stringify(asked)}`
}
