// The topics and who has joined them: fan-out of broadcasts and presence.
import { createPresence, type Presence, type PresenceDiff } from './presence.ts'
import type { BroadcastMessage } from './protocol.ts'
import type { Channel } from './channel.ts'

export interface Hub {
  add(member: Channel): void
  remove(member: Channel): void
  members(): Iterable<Channel>
  /** Sends to everyone on the topic but `sender`, who hears itself only where it asked to. */
  broadcast(topic: string, isPrivate: boolean, message: BroadcastMessage, sender?: Channel): void
  presenceState(member: Channel): unknown
  track(member: Channel, data: Readonly<Record<string, unknown>>): void
  untrack(member: Channel): void
}

interface Topic {
  readonly members: Set<Channel>
  readonly presence: Presence
}

export function createHub(): Hub {
  const topics = new Map<string, Topic>()
  const topicOf = (member: Channel) => topics.get(keyOf(member.topic, member.isPrivate))
  const announce = (topic: Topic, diff: PresenceDiff) => {
    for (const member of topic.members) if (member.presenceEnabled) member.push('presence_diff', diff)
  }
  const untrack = (member: Channel) => {
    const topic = topicOf(member)
    const diff = topic?.presence.untrack(member)
    if (topic && diff) announce(topic, diff)
  }
  return {
    add(member) {
      const key = keyOf(member.topic, member.isPrivate)
      const topic = topics.get(key) ?? { members: new Set(), presence: createPresence() }
      topics.set(key, topic)
      topic.members.add(member)
    },
    remove(member) {
      const topic = topicOf(member)
      if (!topic?.members.delete(member)) return
      untrack(member)
      if (topic.members.size === 0) topics.delete(keyOf(member.topic, member.isPrivate))
    },
    *members() {
      for (const topic of topics.values()) yield* topic.members
    },
    broadcast(topic, isPrivate, message, sender) {
      for (const member of topics.get(keyOf(topic, isPrivate))?.members ?? []) {
        if (member !== sender || member.self) member.broadcast(message)
      }
    },
    presenceState: member => topicOf(member)?.presence.state() ?? {},
    track(member, data) {
      const topic = topicOf(member)
      if (topic) announce(topic, topic.presence.track(member, member.presenceKey, data))
    },
    untrack,
  }
}

function keyOf(topic: string, isPrivate: boolean): string {
  return `${isPrivate ? 'private' : 'public'} ${topic}`
}
