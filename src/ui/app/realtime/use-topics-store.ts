// The realtime store of the signed-in user, which outlives the page.
import { useSyncExternalStore } from 'react'
import type { ChartroomClient } from '../../../services/client/index.ts'
import { useClient, useStatus } from '../../react/index.ts'
import {
  type RealtimeUser,
  TopicsStore,
  type TopicState,
  type TopicStore,
} from '../../../services/workbench/realtime/index.ts'

/** By client and user, so that users never see each other's messages. Stores live as long as their client. */
const stores = new WeakMap<ChartroomClient, Map<string, TopicsStore>>()

const NOBODY: RealtimeUser = { key: 'nobody', name: 'someone' }

function storeOf(client: ChartroomClient, user: RealtimeUser): TopicsStore {
  const ofClient = stores.get(client) ?? new Map<string, TopicsStore>()
  stores.set(client, ofClient)
  const known = ofClient.get(user.key)
  if (known) return known
  const made = new TopicsStore(client, user)
  ofClient.set(user.key, made)
  return made
}

/** The store and its topics. */
export function useTopicsStore(): readonly [TopicsStore, readonly TopicStore[]] {
  const client = useClient()
  const user = useStatus(({ session }) =>
    session.phase === 'authenticated'
      ? { key: session.user.id, name: session.user.email?.split('@')[0] ?? 'someone' }
      : NOBODY,
  )
  const store = storeOf(client, user)
  return [store, useSyncExternalStore(store.subscribe, store.topics)]
}

/** A topic's current state. */
export const useTopic = (topic: TopicStore): TopicState => useSyncExternalStore(topic.subscribe, topic.state)
