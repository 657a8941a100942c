// The realtime store of the signed-in user, which outlives the page.
import { useSyncExternalStore } from 'react'
import { keepByClient } from '../../../services/workbench/storage/index.ts'
import { useClient, useStatus } from '../../react/index.ts'
import {
  type RealtimeUser,
  TopicsStore,
  type TopicState,
  type TopicStore,
} from '../../../services/workbench/realtime/index.ts'

/** By client and user, so that users never see each other's messages. Stores live as long as their client. */
const stores = keepByClient<TopicsStore>()

const NOBODY: RealtimeUser = { key: 'nobody', name: 'someone' }

/** The store and its topics. */
export function useTopicsStore(): readonly [TopicsStore, readonly TopicStore[]] {
  const client = useClient()
  const user = useStatus(({ session }) =>
    session.phase === 'authenticated'
      ? { key: session.user.id, name: session.user.email?.split('@')[0] ?? 'someone' }
      : NOBODY,
  )
  const store = stores.of(client, user.key, () => new TopicsStore(client, user))
  return [store, useSyncExternalStore(store.subscribe, store.topics)]
}

/** A topic's current state. */
export const useTopic = (topic: TopicStore): TopicState => useSyncExternalStore(topic.subscribe, topic.state)
