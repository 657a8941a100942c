// A raw realtime socket, frame by frame: for what the official client hides.
import { once } from 'node:events'
import { WebSocket, type RawData } from 'ws'
import { expect, vi } from 'vitest'
import type { Backend } from '../../backend/index.ts'
import { atTestEnd } from './endings.ts'

export interface WireSocket {
  readonly socket: WebSocket
  /** What has arrived: JSON values, and buffers for binary frames. */
  readonly frames: unknown[]
  /** The code with which the socket was closed. */
  readonly closed: Promise<number>
  send(frame: unknown): void
  /** Waits until this many frames have arrived, and returns them all. */
  received(count: number): Promise<unknown[]>
}

export function socketUrl(backend: Pick<Backend, 'url' | 'publishableKey'>, query = 'vsn=2.0.0'): string {
  return `${backend.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${backend.publishableKey}&${query}`
}

/** Opens a socket; it is closed when the test ends. */
export async function openSocket(
  backend: Pick<Backend, 'url' | 'publishableKey'>,
  query?: string,
): Promise<WireSocket> {
  const socket = new WebSocket(socketUrl(backend, query))
  atTestEnd(() => socket.terminate())
  const frames: unknown[] = []
  socket.on('message', (data, isBinary) => frames.push(isBinary ? data : JSON.parse(textOf(data))))
  const closed = new Promise<number>(resolve => socket.once('close', resolve))
  await once(socket, 'open')
  return {
    socket,
    frames,
    closed,
    send: frame => socket.send(frame instanceof Uint8Array ? frame : JSON.stringify(frame)),
    async received(count) {
      await vi.waitFor(() => expect(frames).toHaveLength(count))
      return frames
    },
  }
}

/** The status with which an upgrade is rejected. */
export async function refusedWith(url: string): Promise<number | undefined> {
  const socket = new WebSocket(url)
  atTestEnd(() => socket.terminate())
  socket.on('error', () => undefined)
  const [, response] = await once(socket, 'unexpected-response')
  return response.statusCode
}

/** Quiet: without presence, so that only the reply arrives. */
export const QUIET = { presence: { enabled: false } }

/** A join in version 2.0.0, answered; the frames that have arrived are removed. */
export async function joinTopic(
  wire: WireSocket,
  topic: string,
  config: object = QUIET,
  more: object = {},
): Promise<unknown> {
  wire.frames.length = 0
  wire.send(['1', '1', `realtime:${topic}`, 'phx_join', { config, ...more }])
  await vi.waitFor(() => expect(wire.frames.length).toBeGreaterThan(0))
  return wire.frames.shift()
}

/** The reply to the frame `ref` in version 2.0.0. */
export function replyTo(
  ref: string,
  topic: string,
  status: 'ok' | 'error',
  response: unknown,
  joinRef: string | null = '1',
): unknown[] {
  return [joinRef, ref, `realtime:${topic}`, 'phx_reply', { status, response }]
}

/** A system message of the server on a channel in version 2.0.0. */
export function systemSays(topic: string, status: 'ok' | 'error', message: string, extension = 'system') {
  return ['1', null, `realtime:${topic}`, 'system', { extension, status, message, channel: topic }]
}

/** The close of a channel in version 2.0.0. */
export function closing(topic: string, joinRef: string | null = '1'): unknown[] {
  return [joinRef, joinRef, `realtime:${topic}`, 'phx_close', {}]
}

function textOf(data: RawData): string {
  return Array.isArray(data) ? Buffer.concat(data).toString() : Buffer.from(data as Buffer).toString()
}
