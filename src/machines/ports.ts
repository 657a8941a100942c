// The ports: every effect the machines can ask for, by name, with what goes in and which events come out.
import { fromCallback, type EventObject, type NonReducibleUnknown } from 'xstate'
import type { ChannelCommand, ChannelOptions, TopicEvent } from './channel-events.ts'
import type { ChartroomUser, Token } from './expiry.ts'
import type { Failure } from './failure.ts'

/** Raised when a machine runs without an effect that it needs: a mistake of composition, never retried. */
export class MissingPortError extends Error {
  override readonly name = 'MissingPortError'
  constructor(name: string) {
    super(`The port "${name}" must be provided: machine.provide({ actors: { ${name} } })`)
  }
}

/**
 * Declares a port: an actor that starts its effect when its state is entered, answers with events, and aborts
 * when its state is left. Machines hold only declarations; the services provide the effects.
 */
function port<
  Sends extends EventObject,
  Input = NonReducibleUnknown,
  Receives extends EventObject = EventObject,
>(name: string) {
  return fromCallback<Receives, Input, Sends>(() => {
    throw new MissingPortError(name)
  })
}

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

/** Reads the session kept from an earlier run. */
export type ReadEvent =
  | { readonly type: 'stored.found'; readonly token: Token }
  | { readonly type: 'stored.none' }
  | { readonly type: 'stored.corrupt'; readonly failure: Failure }
  | PortBroken
export const readSession = port<ReadEvent>('readSession')

/** Exchanges the credentials kept in the vault under `attempt` for a session and stores it. */
export type AuthenticateEvent =
  | { readonly type: 'auth.succeeded'; readonly token: Token }
  /** The account exists, but its address must be confirmed first. */
  | { readonly type: 'auth.unconfirmed'; readonly user: ChartroomUser }
  | { readonly type: 'auth.failed'; readonly failure: Failure }
  | PortBroken
export const authenticate = port<AuthenticateEvent, { readonly attempt: string }>('authenticate')

/** Exchanges the refresh token behind `tokenId` for a new session: one attempt, no hidden retry. */
export type RefreshTokenEvent =
  | { readonly type: 'refresh.succeeded'; readonly token: Token }
  | { readonly type: 'refresh.failed'; readonly failure: Failure }
  | PortBroken
export const refreshToken = port<RefreshTokenEvent, { readonly tokenId: string }>('refreshToken')

/** Forgets the stored session; the secret itself stays until the server has been told. */
export type RemoveEvent = { readonly type: 'stored.removed' } | PortBroken
export const removeSession = port<RemoveEvent>('removeSession')

/** Tells the server that the session is over, then forgets the secret. */
export type SignOutScope = 'local' | 'global'
export type RevokeEvent =
  | { readonly type: 'revoke.succeeded' }
  | { readonly type: 'revoke.failed'; readonly failure: Failure }
  | PortBroken
export const revoke = port<RevokeEvent, { readonly tokenId: string; readonly scope: SignOutScope }>('revoke')

/** Sends the HTTP call kept under `id`: as the owner of the token, or with the API key alone. */
export type SendEvent =
  | {
      readonly type: 'send.answered'
      readonly status: number
      readonly retryAfter?: number
      readonly faultId?: string
    }
  | { readonly type: 'send.failed'; readonly failure: Failure }
  | PortBroken
export const send = port<
  SendEvent,
  { readonly id: string; readonly tokenId: string | undefined; readonly attempt: number }
>('send')

/** One life of the realtime socket: opens on start, closes on stop. */
export type SocketEvent =
  | { readonly type: 'socket.opened' }
  | { readonly type: 'socket.closed'; readonly code: number; readonly reason: string }
  /** A heartbeat went unanswered. */
  | { readonly type: 'socket.silent' }
  | PortBroken
/** The token rotated: the server and the joined topics must hear of it. */
export type SocketCommand = { readonly type: 'token.push' }
export const socket = port<SocketEvent, { readonly heartbeatEvery: number }, SocketCommand>('socket')

/** One join of one topic on the open socket: joins on start, leaves on stop. */
export const topic = port<
  TopicEvent,
  { readonly topic: string; readonly options: ChannelOptions; readonly timeout: number },
  ChannelCommand
>('topic')
