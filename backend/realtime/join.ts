// Joins a channel: the checks of the original in its order, each with its error.
import { Channel, type Outlet } from './channel.ts'
import { PolicyError, type Extension, type Permissions } from './authorize.ts'
import { readJoin, type JoinConfig } from './join-config.ts'
import { identify } from './token-refusal.ts'
import { UnavailableError } from '../shared/unavailable.ts'
import type { BroadcastMessage, Frame } from './frames.ts'
import type { RealtimeContext } from './realtime-context.ts'
import type { Claims } from '../keys/index.ts'
import { TOPIC_PREFIX } from './protocol.ts'

/** Why a join is refused, with the original's message. */
export class JoinRefused extends Error {
  override name = 'JoinRefused'
  /** Also closes the socket. */
  readonly disconnects: boolean

  constructor(reason: string, disconnects = false) {
    super(reason)
    this.disconnects = disconnects
  }
}

export interface JoinRequest {
  readonly frame: Frame
  readonly apikey: string
  /** The socket's side. */
  readonly outlet: Outlet
  readonly openChannels: number
}

export interface Joined {
  readonly channel: Channel
  readonly replay: readonly BroadcastMessage[]
}

/** Creates a channel that is not yet open. Throws `JoinRefused`. */
export async function join(
  { frame, apikey, outlet, openChannels }: JoinRequest,
  context: RealtimeContext,
): Promise<Joined> {
  const topic = frame.topic.slice(TOPIC_PREFIX.length)
  if (topic === '') throw new JoinRefused('TopicNameRequired: You must provide a topic name')
  const config = read(frame.payload, context)
  if (context.isStopping()) throw restarting()
  checkLimits(config, outlet, openChannels, context)
  const token = config.accessToken ?? apikey
  const identity = await identify(context.tokens, apikey, token, context.clock.now())
  if ('code' in identity) throw new JoinRefused(`${identity.code}: ${identity.message}`)
  const mayRead = await permissions(config, topic, identity.claims, context)
  const replay = await replayed(config, topic, mayRead, context)
  const options = {
    wireTopic: frame.topic,
    joinRef: frame.joinRef,
    ref: frame.ref,
    config,
    identity,
    mayRead,
    changes: config.changes.map(change => ({ ...change, id: context.nextId() })),
    replayed: new Set(replay.map(({ id }) => id)),
  }
  return { channel: new Channel(options, outlet, context), replay }
}

function read(payload: unknown, { settings }: RealtimeContext): JoinConfig {
  try {
    const config = readJoin(payload)
    if (config.changes.length <= settings.maxChangesPerJoin) {
      return settings.presenceEnabled ? { ...config, presenceEnabled: true } : config
    }
  } catch (error) {
    throw new JoinRefused(`UnknownErrorOnChannel: ${error instanceof Error ? error.message : 'no reason'}`)
  }
  throw new JoinRefused(`InvalidJoinPayload: More than ${settings.maxChangesPerJoin} postgres_changes`)
}

function checkLimits(
  { isPrivate }: JoinConfig,
  socket: object,
  openChannels: number,
  context: RealtimeContext,
): void {
  const { settings, users, rates } = context
  if (settings.privateOnly && !isPrivate)
    throw new JoinRefused('PrivateOnly: This project only allows private channels')
  if (!users.has(socket) && users.size >= settings.maxConcurrentUsers)
    throw new JoinRefused('ConnectionRateLimitReached: Too many connected users')
  if (rates.joins.perSecond() >= settings.maxJoinsPerSecond)
    throw new JoinRefused('ClientJoinRateLimitReached: Too many joins per second', true)
  rates.joins.add()
  if (openChannels >= settings.maxChannelsPerClient)
    throw new JoinRefused('ChannelRateLimitReached: Too many channels')
}

/** Checks the policies of a private topic; at least one of the two must allow reading. */
async function permissions(
  { isPrivate, presenceEnabled }: JoinConfig,
  topic: string,
  claims: Claims,
  context: RealtimeContext,
): Promise<Permissions> {
  if (!isPrivate) return {}
  try {
    const mayRead = await context.authorizer.mayRead(claims, topic, requestedExtensions(presenceEnabled))
    if (mayRead.broadcast || mayRead.presence) return mayRead
  } catch (error) {
    if (error instanceof UnavailableError) throw restarting()
    if (!(error instanceof PolicyError)) throw error
  }
  throw new JoinRefused(`Unauthorized: ${mayNotRead(topic)}`)
}

/** The extensions whose policies apply to a channel. */
export function requestedExtensions(presenceEnabled: boolean): Extension[] {
  return presenceEnabled ? ['broadcast', 'presence'] : ['broadcast']
}

export function mayNotRead(topic: string): string {
  return `You do not have permissions to read from this Channel topic: ${topic}`
}

const LATEST_TIME_MS = 253_402_300_799_999

async function replayed(
  { replay, isPrivate }: JoinConfig,
  topic: string,
  mayRead: Permissions,
  context: RealtimeContext,
): ReturnType<RealtimeContext['replay']> {
  if (!replay) return []
  if (!isPrivate) throw new JoinRefused('UnableToReplayMessages: Replay is not allowed for public channels')
  if (!mayRead.broadcast) throw new JoinRefused(`Unauthorized: ${mayNotRead(topic)}`)
  const { since, limit } = replay
  if (!isInteger(since) || !isInteger(limit) || Math.abs(since) > LATEST_TIME_MS)
    throw new JoinRefused('UnableToReplayMessages: Replay params are not valid')
  try {
    return await context.replay(topic, since, limit)
  } catch (error) {
    if (error instanceof UnavailableError) throw restarting()
    throw new JoinRefused('UnableToReplayMessages: Realtime was unable to replay messages')
  }
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

function restarting(): JoinRefused {
  return new JoinRefused('RealtimeRestarting: Realtime is restarting, please standby')
}
