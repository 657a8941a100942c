// The function call store of the signed-in user, which outlives the page.
import { useEffect, useSyncExternalStore } from 'react'
import type { ChartroomClient } from '../../../services/client/index.ts'
import { useClient, useStatus } from '../../react/index.ts'
import { ANONYMOUS } from '../../../services/workbench/accounts/index.ts'
import { useAccounts } from '../accounts/use-accounts.ts'
import { wallTime } from '../../../services/workbench/text/index.ts'
import { workRecordings } from '../work-recordings.ts'
import { useWorkspace } from '../workspace.tsx'
import { type FunctionCallState, FunctionCallStore } from '../../../services/workbench/functions/index.ts'

/** By client and user, so that users never see each other's drafts. Stores live as long as their client. */
const stores = new WeakMap<ChartroomClient, Map<string, FunctionCallStore>>()

function storeOf(client: ChartroomClient, user: string, isEmbedded: boolean): FunctionCallStore {
  const ofClient = stores.get(client) ?? new Map<string, FunctionCallStore>()
  stores.set(client, ofClient)
  const known = ofClient.get(user)
  if (known) return known
  const made = new FunctionCallStore({
    url: client.url,
    name: `${client.url}.${user}`,
    first: isEmbedded ? { name: 'tide' } : {},
    now: () => client.now(),
    onCalled: (name, attached, by) => workRecordings(client).add(name, { ...attached, by }),
    wall: () => wallTime(client.now()).toISOString(),
  })
  ofClient.set(user, made)
  return made
}

/** The store and its current state. */
export function useFunctionCalls(): readonly [FunctionCallStore, FunctionCallState] {
  const client = useClient()
  const user = useStatus(({ session }) => (session.phase === 'authenticated' ? session.user.id : ''))
  const { active } = useWorkspace()
  const store = storeOf(client, user, active?.embedded === true)
  const accounts = useAccounts()
  useEffect(() => {
    store.callThrough(as => {
      if (as === 'user')
        return {
          client,
          fetch: (path, init, options) => client.fetch(path, init, { ...options, access: 'user' }),
        }
      if (as === 'public') return accounts.clientOf(ANONYMOUS)
      return accounts.list.some(({ id }) => id === as) ? accounts.clientOf(as) : undefined
    })
  }, [store, client, accounts])
  return [store, useSyncExternalStore(store.subscribe, store.state)]
}
