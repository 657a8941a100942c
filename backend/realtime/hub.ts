// Topics and their members: fan-out of broadcasts and presence.
import { createPresence, type Presence, type PresenceDiff } from './presence.ts'
import { encodeBroadcast, TOPIC_PREFIX } from './protocol.ts'
import { textOf } from '../shared/fields.ts'
import type { Broadcast, Version } from './frames.ts'
import type { Listener } from './changes/delivery.ts'

/** What a topic needs of its channels. */
export interface Member extends Listener {
  readonly isPrivate: boolean
  readonly presenceKey: string
  /** Whether presence is sent to it. */
  readonly seesPresence: boolean
  /** Ends it if its token has expired by `now`, in milliseconds. */
  expireBy(now: number): void
  notify(event: string, payload: unknown): void
  /** Sends a broadcast, unless it has one with this id already. */
  deliver(write: (version: Version) => string | Uint8Array | undefined, id?: string): void
}

export interface Hub {
  add(member: Member): void
  remove(member: Member): void
  members(): Iterable<Member>
  /** Sends to all members of the topic except `except`. */
  broadcast(topic: string, isPrivate: boolean, message: Broadcast, except?: Member): void
  presenceState(member: Member): unknown
  /** Returns the number of recipients. */
  track(member: Member, data: Readonly<Record<string, unknown>>): number
  untrack(member: Member): void
}

interface Topic {
  readonly members: Set<Member>
  readonly presence: Presence
}

export function createHub(): Hub {
  const topics = new Map<string, Topic>()
  const topicOf = (member: Member) => topics.get(keyOf(member.topic, member.isPrivate))
  const untrack = (member: Member) => {
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
