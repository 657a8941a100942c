// Topics and their members: fan-out of broadcasts and presence.
import { createPresence, type Presence, type PresenceDiff } from './presence.ts'
import { encodeBroadcast } from './protocol.ts'
import { textOf } from '../fields.ts'
import type { Broadcast, Version } from './frames.ts'
import { TOPIC_PREFIX, type Channel } from './channel.ts'

export interface Hub {
  add(member: Channel): void
  remove(member: Channel): void
  members(): Iterable<Channel>
  /** Sends to all members of the topic except `except`. */
  broadcast(topic: string, isPrivate: boolean, message: Broadcast, except?: Channel): void
  presenceState(member: Channel): unknown
  /** Returns the number of recipients. */
  track(member: Channel, data: Readonly<Record<string, unknown>>): number
  untrack(member: Channel): void
}

interface Topic {
  readonly members: Set<Channel>
  readonly presence: Presence
}

export function createHub(): Hub {
  const topics = new Map<string, Topic>()
  const topicOf = (member: Channel) => topics.get(keyOf(member.topic, member.isPrivate))
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
    broadcast(topic, isPrivate, message, except) {
      const write = writeOnce(TOPIC_PREFIX + topic, message)
      const id = 'meta' in message ? textOf(message.meta, 'id') : undefined
      for (const member of topics.get(keyOf(topic, isPrivate))?.members ?? []) {
        if (member !== except) member.deliver(write, id)
      }
    },
    presenceState: member => topicOf(member)?.presence.state() ?? {},
    track(member, data) {
      const topic = topicOf(member)
      return topic ? announce(topic, topic.presence.track(member, member.presenceKey, data)) : 0
    },
    untrack,
  }
}

function announce(topic: Topic, diff: PresenceDiff): number {
  const watchers = [...topic.members].filter(member => member.seesPresence)
  for (const member of watchers) member.notify('presence_diff', diff)
  return watchers.length
}

/** Encodes a broadcast once per protocol version, on first use, for all members of the topic. */
function writeOnce(wireTopic: string, message: Broadcast) {
  const written = new Map<Version, string | Uint8Array | undefined>()
  return (version: Version) => {
    if (!written.has(version)) written.set(version, encodeBroadcast(version, wireTopic, message))
    return written.get(version)
  }
}

function keyOf(topic: string, isPrivate: boolean): string {
  return `${isPrivate ? 'private' : 'public'} ${topic}`
}
