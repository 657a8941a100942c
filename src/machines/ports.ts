// The ports: every effect the machines can request, by name, with its input and its events.
import type { NonReducibleUnknown } from 'xstate'
import type { ChannelCommand, ChannelOptions, TopicEvent } from './realtime/channel-events.ts'
import type { ChartroomUser, Token } from './session/gate.ts'
import type { AccessRefusal, Failure, KeyFamily, KeyRefusal } from './failure.ts'
import { port } from './port.ts'

/** Sent by any port whose own code threw. */
export type PortBroken = { readonly type: 'port.broken'; readonly failure: Failure }

/**
 * A call of a port that is not a request of the app. Machines ignore it: it is recorded, so that the console and exports
 * list the call. `call` counts the calls of the port from 0.
 */
export type HttpEvent =
  /** `path` includes the query, without secrets. */
  | { readonly type: 'http.sent'; readonly call: number; readonly method: string; readonly path: string }
  /** The headers arrived, or, without a status, there is no response. */
  | {
      readonly type: 'http.answered'
      readonly call: number
      readonly status?: number
      readonly faultId?: string
    }

/** Reports the time every `every` milliseconds. */
export type TickEvent = { readonly type: 'clock.tick'; readonly at: number }
export const ticker = port<TickEvent, { readonly every: number }>('ticker')

/** Reports immediately, and then on each change, whether the device is online and the page visible. */
export type EnvironmentEvent =
  | {
      readonly type: 'environment.changed'
      readonly online: boolean
      readonly visible: boolean
      /** The page is frozen and runs no code: nothing should start. */
      readonly frozen?: boolean
    }
  /** The device or the page was suspended for `slept` milliseconds, until `at`. */
  | { readonly type: 'environment.woke'; readonly slept: number; readonly at: number }
export const environment = port<EnvironmentEvent>('environment')

/** Reads the stored session: from an earlier run, or what other tabs made of the one behind `tokenId`. */
export type ReadEvent =
  | { readonly type: 'stored.found'; readonly token: Token }
  /** The stored session is the one behind `tokenId`. */
  | { readonly type: 'stored.same' }
  /** `otherTab`: another tab removed it. */
  | { readonly type: 'stored.none'; readonly by?: 'otherTab' }
  | { readonly type: 'stored.corrupt'; readonly failure: Failure }
  | PortBroken
export const readSession = port<ReadEvent, { readonly tokenId?: string } | undefined>('readSession')

/** Checks whether the page's URL carries auth parameters, and removes them immediately. */
export type UrlEvent =
  | { readonly type: 'url.none' }
  /** A hash or code of another app, left in place. */
  | { readonly type: 'url.foreign' }
  /** Tokens where only a code is accepted. */
  | { readonly type: 'url.mismatch'; readonly failure: Failure }
  /** A code whose verifier is not in this browser. */
  | { readonly type: 'url.verifierMissing'; readonly failure: Failure }
  /** The auth server redirected here with an error. */
  | { readonly type: 'url.failed'; readonly failure: Failure }
  /** The secret is in the vault under `attempt`. */
  | {
      readonly type: 'url.found'
      readonly attempt: string
      readonly kind: 'tokens' | 'code'
      readonly recovery: boolean
    }
  | PortBroken
export const detectUrl = port<UrlEvent>('detectUrl')

/** Exchanges the credentials in the vault under `attempt` for a session and stores it. */
export type AuthenticateEvent =
  /** `recovery`: the session exists to set a new password. */
  | { readonly type: 'auth.succeeded'; readonly token: Token; readonly recovery?: boolean }
  /** The account exists, but its email address must be confirmed first. */
  | { readonly type: 'auth.unconfirmed'; readonly user: ChartroomUser }
  | { readonly type: 'auth.failed'; readonly failure: Failure }
  | HttpEvent
  | PortBroken
export const authenticate = port<AuthenticateEvent, { readonly attempt: string }>('authenticate')

/** Stores the session or user that an account call left in the vault under `attempt`. */
export type StoreSessionEvent =
  | { readonly type: 'session.stored'; readonly token: Token }
  | { readonly type: 'session.storeFailed'; readonly failure: Failure }
  | PortBroken
export const storeSession = port<StoreSessionEvent, { readonly attempt: string }>('storeSession')

/** Loads the signed-in user from the server. */
export type LoadUserEvent =
  | { readonly type: 'user.loaded'; readonly token: Token }
  | { readonly type: 'user.failed'; readonly failure: Failure }
  | PortBroken
export const loadUser = port<LoadUserEvent>('loadUser')

/**
 * Holds the session's lock, which all its tabs share, until stopped. `steal` takes it from the current
 * holder; in browsers without locks it is `unavailable`.
 */
export type LockEvent =
  | { readonly type: 'lock.held' }
  | { readonly type: 'lock.lost' }
  | { readonly type: 'lock.unavailable' }
  | PortBroken
export const lock = port<LockEvent, { readonly steal: boolean }>('lock')

/** Competes for leadership among the tabs of one session, and holds it until stopped. */
export type LeadershipEvent =
  | { readonly type: 'leadership.gained' }
  | { readonly type: 'leadership.lost' }
  | { readonly type: 'leadership.unavailable' }
  | PortBroken
export const leadership = port<LeadershipEvent>('leadership')

/** Receives other tabs' changes to the stored session, and notifies them of this tab's. */
export type StoredChanged = {
  readonly type: 'stored.changed'
  /** `storage`: no tab announced the change, for example when the site's data are cleared. */
  readonly by: 'otherTab' | 'storage'
  readonly what: 'written' | 'removed'
}
export type TabsEvent = StoredChanged | PortBroken
export type TabsCommand = { readonly type: 'tabs.announce'; readonly what: StoredChanged['what'] }
export const tabs = port<TabsEvent, NonReducibleUnknown, TabsCommand>('tabs')

/** Exchanges the refresh token behind `tokenId` for a new session: one attempt, no hidden retry. */
export type RefreshTokenEvent =
  | { readonly type: 'refresh.succeeded'; readonly token: Token }
  | { readonly type: 'refresh.failed'; readonly failure: Failure }
  | PortBroken
export const refreshToken = port<RefreshTokenEvent, { readonly tokenId: string }>('refreshToken')

/**
 * Removes the stored session. With `isOver`, the secret is removed too, and the stored session only if it is
 * that one; otherwise the secret is kept until the session is revoked on the server.
 */
export type RemoveEvent = { readonly type: 'stored.removed' } | PortBroken
export const removeSession = port<RemoveEvent, { readonly tokenId: string; readonly isOver: boolean }>(
  'removeSession',
)

/** Revokes the session on the server, then removes the secret; with `others`, revokes the other sessions. */
export type SignOutScope = 'local' | 'global' | 'others'
export type RevokeEvent =
  | { readonly type: 'revoke.succeeded' }
  | { readonly type: 'revoke.failed'; readonly failure: Failure }
  | HttpEvent
  | PortBroken
export const revoke = port<RevokeEvent, { readonly tokenId: string; readonly scope: SignOutScope }>('revoke')

/**
 * Sends the HTTP call stored under `id`: with the owner's token, or with the API key alone. After a
 * `streaming` response it runs until the body, which the app reads, has ended.
 */
export type SendEvent =
  | {
      readonly type: 'send.answered'
      readonly status: number
      /** Seconds. */
      readonly retryAfter?: number
      /** Milliseconds since the request was sent; reported with `retryAfter`. */
      readonly waited?: number
      /** Why the response refuses the request, if it gives a reason. */
      readonly refusal?: AccessRefusal
      readonly streaming?: true
      /** Uncompressed size of a body that was read completely. */
      readonly bytes?: number
      readonly faultId?: string
    }
  | { readonly type: 'send.failed'; readonly failure: Failure }
  /** Read to its end, canceled by its reader, or left unread for long; with the number of bytes read. */
  | { readonly type: 'body.ended'; readonly bytes?: number }
  | { readonly type: 'body.failed'; readonly failure: Failure }
  | PortBroken
/** Checks whether the body has progressed since the last check. */
export type SendCommand = { readonly type: 'body.check' }
export const send = port<
  SendEvent,
  { readonly id: string; readonly tokenId: string | undefined; readonly attempt: number },
  SendCommand
>('send')

/** Checks whether a file of this name exists, and finds a free name. */
export type CheckNameEvent =
  | { readonly type: 'name.free' }
  | { readonly type: 'name.taken'; readonly free: string }
  /** The folder could not be listed; the upload itself will show. */
  | { readonly type: 'name.unknown' }
  | PortBroken
export const checkName = port<CheckNameEvent, { readonly bucket: string; readonly path: string }>('checkName')

/** Sends the content stored under `id`: whole, or in resumable parts. */
export type TransferEvent =
  | { readonly type: 'transfer.progressed'; readonly sent: number; readonly resumable: boolean }
  | { readonly type: 'transfer.done' }
  /** A file of this name exists, and replacing it was not requested. */
  | { readonly type: 'transfer.conflicted' }
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

/** One realtime socket: opens on start, closes on stop. */
export type SocketEvent =
  | { readonly type: 'socket.opened' }
  | { readonly type: 'socket.closed'; readonly code: number; readonly reason: string }
  /** A heartbeat got no response. */
  | { readonly type: 'socket.silent' }
  /** A message arrived after a probe. */
  | { readonly type: 'socket.alive' }
  /** Not opened, because the token is due. */
  | { readonly type: 'socket.stale' }
  | PortBroken
export type SocketCommand =
  /** The token was rotated: the server and the joined topics need the new one. */
  | { readonly type: 'token.push' }
  /** Asks the server for a sign of life. */
  | { readonly type: 'socket.probe' }
export interface SocketInput {
  readonly heartbeatEvery: number
  readonly probeTimeout: number
  /** Monotonic milliseconds from which the token is too old to open a socket with. */
  readonly freshUntil: number | undefined
}
export const socket = port<SocketEvent, SocketInput, SocketCommand>('socket')

/** Finds out over HTTP why a socket never opened; sockets give no reason. */
export type ProbeEvent =
  | {
      readonly type: 'probe.answered'
      readonly status: number
      readonly retryAfter?: number
      readonly refusal?: AccessRefusal
    }
  | { readonly type: 'probe.failed' }
  | PortBroken
export const probeSocket = port<ProbeEvent>('probeSocket')

/** Asks each of these services with the API key alone; those that do not respond are left out. */
export type CheckKeyEvent =
  | {
      readonly type: 'key.checked'
      readonly results: readonly { readonly family: KeyFamily; readonly refusal?: KeyRefusal }[]
    }
  | HttpEvent
  | PortBroken
export const checkKey = port<CheckKeyEvent, { readonly families: readonly KeyFamily[] }>('checkKey')

/** One join of one topic on the open socket: joins on start, leaves on stop. */
export const topic = port<
  TopicEvent,
  { readonly topic: string; readonly options: ChannelOptions; readonly timeout: number },
  ChannelCommand
>('topic')

/**
 * Makes the app reload the rows that it shows of a topic. Never sends `port.broken`, which the channel would
 * attribute to its topic.
 */
export type ResyncEvent =
  { readonly type: 'resync.done' } | { readonly type: 'resync.failed'; readonly reason: string }
export const resync = port<ResyncEvent, { readonly topic: string }>('resync')
