// The desk of the user who is signed in, which outlives the page.
import { useSyncExternalStore } from 'react'
import type { ChartroomClient } from '../../../index.ts'
import { useClient, useStatus } from '../../react.ts'
import { RealtimeDesk, type RealtimeUser } from './realtime-desk.ts'
import type { TopicDesk } from './topic-desk.ts'
import type { TopicState } from './topic-facts.ts'

/** By client, and by user: nobody finds what somebody else heard. They go with their client. */
const desks = new WeakMap<ChartroomClient, Map<string, RealtimeDesk>>()

const NOBODY: RealtimeUser = { key: 'nobody', name: 'someone' }

function deskOf(client: ChartroomClient, user: RealtimeUser): RealtimeDesk {
  const ofClient = desks.get(client) ?? new Map<string, RealtimeDesk>()
  desks.set(client, ofClient)
  const known = ofClient.get(user.key)
  if (known) return known
  const made = new RealtimeDesk(client, user)
  ofClient.set(user.key, made)
  return made
}

/** The desk, and the topics on it. */
export function useRealtimeDesk(): readonly [RealtimeDesk, readonly TopicDesk[]] {
  const client = useClient()
  const user = useStatus(({ session }) =>
    session.phase === 'authenticated'
      ? { key: session.user.id, name: session.user.email?.split('@')[0] ?? 'someone' }
      : NOBODY,
  )
  const desk = deskOf(client, user)
  return [desk, useSyncExternalStore(desk.subscribe, desk.topics)]
}

/** What is so of a topic now. */
export const useTopic = (desk: TopicDesk): TopicState => useSyncExternalStore(desk.subscribe, desk.state)
