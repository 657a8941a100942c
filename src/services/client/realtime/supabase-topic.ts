// One join of a topic: a separate RealtimeChannel that reports its events and executes commands.
import type { RealtimeChannel, RealtimeClient, RealtimePostgresChangesPayload } from '@supabase/realtime-js'
import type { ChannelCommand, ChannelOptions, RowChange, TopicEvent } from '../../../machines/index.ts'
import { plainCopy } from '../../runtime/index.ts'
import type { SocketLife } from './supabase-socket.ts'

export interface TopicInput {
  readonly topic: string
  readonly options: ChannelOptions
  /** Milliseconds for the join, and for each later response. */
  readonly timeout: number
}

type Report = (event: TopicEvent) => void
type Token = () => string | undefined

/** Maximum wait for the response to leaving, in ms. */
const LEAVE_TIMEOUT = 1_000

/** There is no response. While one is awaited, supabase-js checks every incoming frame for it. */
const UNACKNOWLEDGED = 1

export function joinTopic(
  client: RealtimeClient,
  { topic, options, timeout }: TopicInput,
  token: Token,
  report: Report,
): RealtimeChannel {
  const channel = client.channel(topic, { config: configOf(options) })
  let lastWord = ''
  listen(channel, options, report)
  channel.on('system', {}, ({ extension = '', status = '', message = '' }: SystemWord) => {
    report({ type: 'system.received', extension, status, message })
    const isGood = status === 'ok'
    if (!isGood) lastWord = message
    if (extension !== 'postgres_changes') return
    report(isGood ? { type: 'postgres.subscribed' } : { type: 'postgres.failed', reason: message })
  })
  const joinedWith = client.accessTokenValue ?? undefined
  return channel.subscribe((status: string, error) => {
    channel.rejoinTimer.reset()
    if (status === 'SUBSCRIBED') {
      // The token rotated while this topic was joining, so it was not sent to this topic.
      if (token() !== joinedWith) pushToken(client, channel, token())
      report({ type: 'topic.joined' })
    } else if (status === 'CLOSED')
      report({ type: 'topic.closed', reason: lastWord || 'closed by the server' })
    else report({ type: 'topic.refused', reason: error?.message ?? 'no response to the join' })
  }, timeout)
}

/** Leaves. Until the server has responded, the topic counts as being left. */
export function leaveTopic(life: SocketLife, topic: string, channel: RealtimeChannel): void {
  const left = channel.unsubscribe(LEAVE_TIMEOUT).then(() => {
    channel.teardown()
    life.client.channels = life.client.channels.filter(candidate => candidate !== channel)
    life.leaving.delete(topic)
  })
  life.leaving.set(topic, left)
}

/** Executes a command, and reports its end if it has an id. */
export function obey(
  channel: RealtimeChannel,
  command: ChannelCommand,
  timeout: number,
  report: Report,
): void {
  const { id } = command
  const settle = (reason?: string, isUnsent = false) => {
    if (id === undefined) return
    report({
      type: 'push.settled',
      id,
      ...(reason !== undefined && { reason }),
      ...(isUnsent && { isUnsent }),
    })
  }
  if (!channel.socket.isConnected() || channel.state !== 'joined')
    return settle('the channel is not joined', true)
  pushed(channel, command, timeout).then(
    answer => settle(answer === 'ok' ? undefined : answer),
    (error: unknown) => settle(error instanceof Error ? error.message : 'it cannot be sent', true),
  )
}

function pushed(channel: RealtimeChannel, command: ChannelCommand, timeout: number): Promise<string> {
  switch (command.type) {
    case 'presence.track':
      return channel.track({ ...command.meta }, { timeout })
    case 'presence.untrack':
      return channel.untrack({ timeout })
    case 'broadcast.send': {
      const { event, payload, persist } = command
      const wait = channel.params.config.broadcast?.ack ? timeout : UNACKNOWLEDGED
      return channel.send(
        { type: 'broadcast', event, payload, ...(persist && { persist }) },
        { timeout: wait },
      )
    }
  }
}

function configOf({ private: isPrivate = false, broadcast = {}, presence = {} }: ChannelOptions) {
  const { self = false, ack = true, replay, replicationReady } = broadcast
  return {
    private: isPrivate,
    broadcast: { self, ack, ...(replay && { replay }), ...(replicationReady && { replication_ready: true }) },
    presence: { key: presence.key ?? '' },
  }
}

function listen(
  channel: RealtimeChannel,
  { presence, postgresChanges = [] }: ChannelOptions,
  report: Report,
) {
  channel.on('broadcast', { event: '*' }, ({ event, payload, meta }: Broadcast) => {
    report({ type: 'broadcast.received', event, payload, ...(meta !== undefined && { meta }) })
  })
  // The listener makes supabase-js request presence.
  if (presence?.enabled !== false)
    channel.on('presence', { event: 'sync' }, () => {
      report({ type: 'presence.synced', state: plainCopy(channel.presenceState()) })
    })
  for (const filter of postgresChanges) {
    channel.on('postgres_changes', { ...filter } as { event: '*'; schema: string }, (change: AnyChange) => {
      report({ type: 'postgres.changed', change: rowChange(change), wanted: filter })
    })
  }
}

function pushToken(client: RealtimeClient, channel: RealtimeChannel, access_token: string | undefined): void {
  if (access_token === undefined) return
  const join_ref = channel.joinPush.ref
  client.push({
    topic: channel.topic,
    event: 'access_token',
    payload: { access_token },
    ref: 'token',
    ...(typeof join_ref === 'string' && { join_ref }),
  })
}

interface SystemWord {
  readonly extension?: string
  readonly status?: string
  readonly message?: string
}

interface Broadcast {
  readonly event: string
  readonly payload?: unknown
  readonly meta?: unknown
}

type AnyChange = RealtimePostgresChangesPayload<Record<string, unknown>>

function rowChange({ eventType, schema, table, commit_timestamp, errors, ...rows }: AnyChange): RowChange {
  return {
    type: eventType,
    schema,
    table,
    record: rows.new,
    old: rows.old,
    commitTimestamp: commit_timestamp,
    ...(errors?.length > 0 && { errors }),
  }
}
