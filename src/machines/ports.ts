// The ports: every effect the machines can ask for, by name, with what goes in and which events come out.
import type { NonReducibleUnknown } from 'xstate'
import type { ChannelCommand, ChannelOptions, TopicEvent } from './channel-events.ts'
import type { ChartroomUser, Token } from './expiry.ts'
import type { Failure } from './failure.ts'
import { port } from './port.ts'

export { MissingPortError } from './port.ts'

/** Sent by any port whose own code threw. */
export type PortBroken = { readonly type: 'port.broken'; readonly failure: Failure }

/** Says the time every `every` milliseconds. */
export type TickEvent = { readonly type: 'clock.tick'; readonly at: number }
export const ticker = port<TickEvent, { readonly every: number }>('ticker')

/** Says at once, and then on each change, whether the device is online and the page visible. */
export type EnvironmentEvent =
  | {
      readonly type: 'environment.changed'
      readonly online: boolean
      readonly visible: boolean
      /** The page runs no code: nothing is worth beginning. */
      readonly frozen?: boolean
    }
  /** The device or the page stood still for so many milliseconds. */
  | { readonly type: 'environment.woke'; readonly slept: number }
export const environment = port<EnvironmentEvent>('environment')

/** Reads the stored session: the one of an earlier run, or what other tabs made of the one behind `tokenId`. */
export type ReadEvent =
  | { readonly type: 'stored.found'; readonly token: Token }
  /** What is stored is the one behind `tokenId`. */
  | { readonly type: 'stored.same' }
  /** `otherTab`: one of them removed it. */
  | { readonly type: 'stored.none'; readonly by?: 'otherTab' }
  | { readonly type: 'stored.corrupt'; readonly failure: Failure }
  | PortBroken
export const readSession = port<ReadEvent, { readonly tokenId?: string } | undefined>('readSession')

/** Looks whether the address of the page carries something for us, and takes it out of there at once. */
export type UrlEvent =
  | { readonly type: 'url.none' }
  /** A hash or a code of somebody else, left where it is. */
  | { readonly type: 'url.foreign' }
  /** Tokens where only a code is taken. */
  | { readonly type: 'url.mismatch'; readonly failure: Failure }
  /** A code whose verifier is not in this browser. */
  | { readonly type: 'url.verifierMissing'; readonly failure: Failure }
  /** The auth server led here to tell of an error. */
  | { readonly type: 'url.failed'; readonly failure: Failure }
  /** The secret lies in the vault under `attempt`. */
  | {
      readonly type: 'url.found'
      readonly attempt: string
      readonly kind: 'tokens' | 'code'
      readonly recovery: boolean
    }
  | PortBroken
export const detectUrl = port<UrlEvent>('detectUrl')

/** Exchanges the credentials kept in the vault under `attempt` for a session and stores it. */
export type AuthenticateEvent =
  /** `recovery`: the session is there to set a new password. */
  | { readonly type: 'auth.succeeded'; readonly token: Token; readonly recovery?: boolean }
  /** The account exists, but its address must be confirmed first. */
  | { readonly type: 'auth.unconfirmed'; readonly user: ChartroomUser }
  | { readonly type: 'auth.failed'; readonly failure: Failure }
  | PortBroken
export const authenticate = port<AuthenticateEvent, { readonly attempt: string }>('authenticate')

/** Keeps the session or user that an account call left in the vault under `attempt`. */
export type KeepEvent =
  | { readonly type: 'session.kept'; readonly token: Token }
  | { readonly type: 'keep.failed'; readonly failure: Failure }
  | PortBroken
export const keepSession = port<KeepEvent, { readonly attempt: string }>('keepSession')

/** Asks the server who is signed in. */
export type LoadUserEvent =
  | { readonly type: 'user.loaded'; readonly token: Token }
  | { readonly type: 'user.failed'; readonly failure: Failure }
  | PortBroken
export const loadUser = port<LoadUserEvent>('loadUser')

/**
 * Holds the lock of the session, which all its tabs share, until it is stopped. With `steal` a holder that was
 * there before is robbed; without locks in this browser it is `unavailable`.
 */
export type LockEvent =
  | { readonly type: 'lock.held' }
  | { readonly type: 'lock.lost' }
  | { readonly type: 'lock.unavailable' }
  | PortBroken
export const lock = port<LockEvent, { readonly steal: boolean }>('lock')

/** Stands for leadership among the tabs of one session, and holds it until it is stopped. */
export type LeadershipEvent =
  | { readonly type: 'leadership.gained' }
  | { readonly type: 'leadership.lost' }
  | { readonly type: 'leadership.unavailable' }
  | PortBroken
export const leadership = port<LeadershipEvent>('leadership')

/** Hears what other tabs do to the stored session, and tells them what this one does. */
export type StoredChanged = {
  readonly type: 'stored.changed'
  /** `storage`: nobody said that it was them, as when the site's data are cleared. */
  readonly by: 'otherTab' | 'storage'
  readonly what: 'written' | 'removed'
}
export type TabsEvent = StoredChanged | PortBroken
export type TabsCommand = { readonly type: 'tabs.tell'; readonly what: StoredChanged['what'] }
export const tabs = port<TabsEvent, NonReducibleUnknown, TabsCommand>('tabs')

/** Exchanges the refresh token behind `tokenId` for a new session: one attempt, no hidden retry. */
export type RefreshTokenEvent =
  | { readonly type: 'refresh.succeeded'; readonly token: Token }
  | { readonly type: 'refresh.failed'; readonly failure: Failure }
  | PortBroken
export const refreshToken = port<RefreshTokenEvent, { readonly tokenId: string }>('refreshToken')

/**
 * Forgets the stored session. When it is over, the secret goes too, and what is stored goes only if it is that
 * session; else the secret stays until the server has been told.
 */
export type RemoveEvent = { readonly type: 'stored.removed' } | PortBroken
export const removeSession = port<RemoveEvent, { readonly tokenId: string; readonly isOver: boolean }>(
  'removeSession',
)

/** Tells the server that the session is over, then forgets the secret; with `others` that those are over. */
export type SignOutScope = 'local' | 'global' | 'others'
export type RevokeEvent =
  | { readonly type: 'revoke.succeeded' }
  | { readonly type: 'revoke.failed'; readonly failure: Failure }
  | PortBroken
export const revoke = port<RevokeEvent, { readonly tokenId: string; readonly scope: SignOutScope }>('revoke')

/**
 * Sends the HTTP call kept under `id`: as the owner of the token, or with the API key alone. After a `streaming`
 * answer it stays until the body has ended, which the app reads meanwhile.
 */
export type SendEvent =
  | {
      readonly type: 'send.answered'
      readonly status: number
      /** Seconds. */
      readonly retryAfter?: number
      /** Milliseconds since the request was made; told beside `retryAfter`. */
      readonly waited?: number
      /** The answer says that the token is not, or no longer, good. */
      readonly tokenRefused?: true
      readonly streaming?: true
      /** Of a body that was read whole: its size, unpacked. */
      readonly bytes?: number
      readonly faultId?: string
    }
  | { readonly type: 'send.failed'; readonly failure: Failure }
  /** Read to its end, let go by its reader, or left unread for long; and how much of it was read. */
  | { readonly type: 'body.ended'; readonly bytes?: number }
  | { readonly type: 'body.failed'; readonly failure: Failure }
  | PortBroken
/** Has the body moved since the last time? */
export type SendCommand = { readonly type: 'body.check' }
export const send = port<
  SendEvent,
  { readonly id: string; readonly tokenId: string | undefined; readonly attempt: number },
  SendCommand
>('send')

/** Looks whether there is a file of this name, and for a free name beside it. */
export type LookUpEvent =
  | { readonly type: 'name.free' }
  | { readonly type: 'name.taken'; readonly free: string }
  /** The folder could not be listed; sending will tell. */
  | { readonly type: 'name.unknown' }
  | PortBroken
export const lookUp = port<LookUpEvent, { readonly bucket: string; readonly path: string }>('lookUp')

/** Sends the content kept under `id`: whole, or in parts that go on where the last attempt ended. */
export type TransferEvent =
  | { readonly type: 'transfer.progressed'; readonly sent: number; readonly resumable: boolean }
  | { readonly type: 'transfer.done' }
  /** There is one of this name, and it was not to be replaced. */
  | { readonly type: 'transfer.taken' }
  | { readonly type: 'transfer.failed'; readonly failure: Failure }
  | PortBroken
export const transfer = port<
  TransferEvent,
  {
    readonly id: string
    readonly bucket: string
    readonly path: string
    readonly replace: boolean
    readonly attempt: number
  }
>('transfer')

/** One life of the realtime socket: opens on start, closes on stop. */
export type SocketEvent =
  | { readonly type: 'socket.opened' }
  | { readonly type: 'socket.closed'; readonly code: number; readonly reason: string }
  /** A heartbeat went unanswered. */
  | { readonly type: 'socket.silent' }
  /** Something came after a probe. */
  | { readonly type: 'socket.alive' }
  /** Not opened, since the token is due. */
  | { readonly type: 'socket.stale' }
  | PortBroken
export type SocketCommand =
  /** The token rotated: the server and the joined topics must hear of it. */
  | { readonly type: 'token.push' }
  /** Is anybody there? */
  | { readonly type: 'socket.probe' }
export interface SocketInput {
  readonly heartbeatEvery: number
  readonly probeTimeout: number
  /** Monotonic milliseconds from which on the token is too old to begin with. */
  readonly freshUntil: number | undefined
}
export const socket = port<SocketEvent, SocketInput, SocketCommand>('socket')

/** Asks over HTTP why a socket never opened, which sockets don't tell. */
export type ProbeEvent =
  | { readonly type: 'probe.answered'; readonly status: number; readonly retryAfter?: number }
  | { readonly type: 'probe.failed' }
  | PortBroken
export const probeSocket = port<ProbeEvent>('probeSocket')

/** One join of one topic on the open socket: joins on start, leaves on stop. */
export const topic = port<
  TopicEvent,
  { readonly topic: string; readonly options: ChannelOptions; readonly timeout: number },
  ChannelCommand
>('topic')

/** Has the app read anew what it shows of a topic's rows. Never breaks: the channel would take it for its topic. */
export type ResyncEvent =
  { readonly type: 'resync.done' } | { readonly type: 'resync.failed'; readonly reason: string }
export const resync = port<ResyncEvent, { readonly topic: string }>('resync')
