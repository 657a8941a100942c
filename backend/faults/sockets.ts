// Faults on sockets: a wrapper around a WebSocket, transparent to both sides.
import type { IncomingMessage } from 'node:http'
import type { WebSocket } from 'ws'
import { callerOf } from './caller.ts'
import { createFrameQueue, type FrameQueue } from './frame-queue.ts'
import { garble, glance, replaceToken, shorten, type Glance, type Wire } from './frames.ts'
import type { Effect, Engine } from './engine.ts'
import type { Pauses } from './pauses.ts'
import type { Caller } from './rule.ts'
import type { FaultAction, SocketEvent } from './plan.ts'
import type { SessionFaults } from './sessions.ts'

export interface SocketFaultParts {
  readonly engine: Engine
  readonly pauses: Pauses
  readonly sessions: SessionFaults
}

/** Applies faults between a server's sockets and their users. */
export interface SocketFaults {
  /** Wraps the socket; from now on its frames are checked against the plan. */
  wrap(socket: WebSocket, request: IncomingMessage): WebSocket
}

export function createSocketFaults(parts: SocketFaultParts): SocketFaults {
  const sockets = new Set<FaultySocket>()
  // Faults that are added later also apply to sockets that are already open.
  parts.engine.onAdded(ids => sockets.forEach(socket => socket.beOpen(ids)))
  return {
    wrap(socket, request) {
      const query = new URL(request.url ?? '/', 'http://localhost').searchParams
      const faulty = new FaultySocket(socket, callerOf(query.get('apikey')), parts)
      sockets.add(faulty)
      socket.once('close', () => sockets.delete(faulty))
      if (!parts.engine.isQuiet()) faulty.beOpen()
      return socket
    },
  }
}

interface Passage {
  readonly event: Exclude<SocketEvent, 'open' | 'upgrade'>
  readonly queue: FrameQueue
  readonly deliver: (wire: Wire) => void
}

class FaultySocket {
  readonly #socket: WebSocket
  readonly #parts: SocketFaultParts
  readonly #in: FrameQueue
  readonly #out: FrameQueue
  #caller: Caller
  #token: string | undefined

  constructor(socket: WebSocket, caller: Caller, parts: SocketFaultParts) {
    this.#socket = socket
    this.#parts = parts
    this.#caller = caller
    const overflow = () => socket.terminate()
    this.#in = createFrameQueue(parts.pauses, overflow)
    this.#out = createFrameQueue(parts.pauses, overflow)
    this.#standBetween(socket)
  }

  beOpen(ids?: ReadonlySet<string>): void {
    const effect = this.#parts.engine.decide({ family: 'realtime', event: 'open', caller: this.#caller }, ids)
    const close = effect?.close
    if (effect && close !== undefined)
      void this.#parts.pauses.wait(effect.wait).then(() => this.#close(close))
  }

  #standBetween(socket: WebSocket): void {
    const { engine } = this.#parts
    const send = socket.send.bind(socket)
    const emit = socket.emit.bind(socket)
    socket.send = (data: Wire, ...rest: unknown[]) => {
      const deliver = (wire: Wire) => void Reflect.apply(send, socket, [wire, ...rest])
      if (engine.isQuiet() && this.#out.isIdle()) return deliver(data)
      this.#pass(data, typeof data !== 'string', { event: 'frame.out', queue: this.#out, deliver })
    }
    socket.emit = (name: string | symbol, ...values: unknown[]) => {
      if (name !== 'message' || (engine.isQuiet() && this.#in.isIdle())) return emit(name, ...values)
      const [data, isBinary] = values as [Wire, boolean]
      const deliver = (wire: Wire) => {
        if (socket.readyState !== socket.CLOSED)
          emit('message', typeof wire === 'string' ? Buffer.from(wire) : wire, isBinary)
      }
      this.#pass(data, isBinary, { event: 'frame.in', queue: this.#in, deliver })
      return true
    }
  }

  #pass(wire: Wire, isBinary: boolean, { event, queue, deliver }: Passage): void {
    const message = glance(wire, isBinary)
    if (event === 'frame.in') this.#learn(message)
    const isHeartbeat = event === 'frame.in' && message.topic === 'phoenix' && message.phoenix === 'heartbeat'
    const { token, ...facts } = message
    const effect = this.#parts.engine.decide({
      family: 'realtime',
      event: isHeartbeat ? 'heartbeat' : event,
      caller: this.#caller,
      ...facts,
    })
    if (!effect) return queue.isIdle() ? deliver(wire) : queue.push(0, () => deliver(wire))
    const { wait, drop, close, reorder } = effect
    if (close !== undefined) return queue.push(wait, () => this.#close(close))
    if (drop) return
    const copies = 1 + (effect.duplicate ?? 0)
    const work = async () => {
      const changed = await this.#change(wire, isBinary, effect, token)
      for (let copy = 0; copy < copies; copy += 1) deliver(changed)
    }
    if (reorder) queue.pushBehindNext(wait, work)
    else queue.push(wait, work)
  }

  #learn({ token }: Glance): void {
    if (token === undefined || token.startsWith('sb_')) return
    this.#token = token
    this.#caller = callerOf(token)
  }

  async #change(wire: Wire, isBinary: boolean, effect: Effect, token: string | undefined): Promise<Wire> {
    const { sessions } = this.#parts
    if (effect.session !== undefined) await sessions.revoke({ token: token ?? this.#token })
    let changed = wire
    if (effect.token === 'expired' && token !== undefined)
      changed = replaceToken(changed, token, await sessions.expire(token))
    if (effect.garble) changed = garble(changed, isBinary)
    return effect.truncate === undefined ? changed : shorten(changed, isBinary, effect.truncate)
  }

  #close(how: NonNullable<FaultAction['close']>): void {
    const { code, reason } = typeof how === 'object' ? how : { code: how, reason: undefined }
    if (code === 'abrupt' || code === 1006) return this.#socket.terminate()
    if (code === 1005) return this.#socket.close()
    this.#socket.close(code, reason)
  }
}
