// The fault injector: applies active faults to requests, sockets and storage.
import { createEntropy, type Entropy } from '../runtime/index.ts'
import { FaultLog } from './fault-log.ts'
import type { ActiveFault, Fault, FaultKind } from './fault-kinds.ts'
import type { Interceptor, ControlPointState } from './control-point.ts'

type Frame = Parameters<WebSocket['send']>[0]

/** Thrown instead of a network error; its id appears in traces as the cause. */
class FaultError extends TypeError {
  readonly faultId: string
  constructor(faultId: string) {
    super('Failed to fetch')
    this.faultId = faultId
  }
}

/** The faults of one client. Intercepts calls as soon as a control is connected. */
export class FaultInjector implements Interceptor {
  readonly #controlled: ControlPointState
  readonly #book: FaultLog
  readonly #entropy: Entropy
  readonly #latency = new Latency()
  readonly #tokens: TokenRefusal
  /** Socket events that are dispatched a second time. */
  readonly #delayedEvents = new WeakSet<Event>()
  readonly #dead = new WeakSet<WebSocket>()

  constructor(controlled: ControlPointState, changed: () => void, entropy = createEntropy()) {
    this.#controlled = controlled
    this.#book = new FaultLog(changed)
    this.#tokens = new TokenRefusal(this.#book)
    this.#entropy = entropy
  }

  /** Active faults. */
  list(): readonly ActiveFault[] {
    return this.#book.list()
  }

  /** Activates a fault and replaces an active one of the same kind. */
  set(fault: Fault): ActiveFault {
    this.#tokens.forget(fault.kind)
    const activeFault = this.#following(() => this.#book.set(fault))
    if (this.#outage()) this.killSockets(activeFault.id)
    return activeFault
  }

  /** Removes one fault, or all. */
  clear(kind?: FaultKind): void {
    this.#following(() => this.#book.clear(kind))
  }

  /** Closes all open sockets abnormally and returns their number. */
  killSockets(id = 'local.kill'): number {
    const open = [...this.#controlled.sockets]
    for (const socket of open) this.#kill(socket, id)
    return open.length
  }

  isOffline(): boolean {
    return this.#book.get('offline') !== undefined
  }

  async fetch(
    real: typeof globalThis.fetch,
    ...args: Parameters<typeof globalThis.fetch>
  ): Promise<Response> {
    const call = callOf(...args)
    const slow = this.#book.get('slow')
    const isSlow = slow && this.#book.hit(slow.id)
    if (slow) await this.#latency.pause(this.#delayOf(slow.fault), call.signal)
    const outage = this.#outage()
    if (outage) throw new FaultError(this.#book.hit(outage.id))
    const failing = this.#book.get('fail')
    if (failing && call.url.includes(failing.fault.path ?? '')) {
      const id = this.#book.hit(failing.id)
      this.#book.spend('fail')
      if (failing.fault.status === undefined) throw new FaultError(id)
      return refusal(call.url, failing.fault.status, id)
    }
    const refused = this.#tokens.refuse(call)
    if (refused) return refused
    const response = await real(...args)
    return isSlow === undefined ? response : withFaultId(response, isSlow)
  }

  onSocketCreated(socket: WebSocket): void {
    const outage = this.#outage()
    if (outage) this.#kill(socket, outage.id)
  }

  sends(data: Frame, send: (data: Frame) => void): void {
    if (this.#isLost('out')) return
    const slow = this.#book.get('slow')
    if (!slow) return send(data)
    this.#book.hit(slow.id)
    this.#latency.delayed(this, this.#delayOf(slow.fault), () => {
      try {
        send(data)
      } catch {
        // The socket closed while the frame was delayed; the frame is lost, as on a real network.
      }
    })
  }

  onMessage(socket: WebSocket, event: Event): boolean {
    if (this.#delayedEvents.has(event)) return true
    if (this.#dead.has(socket)) return false
    if (event.type !== 'message') return true
    if (this.#isLost('in')) return false
    const slow = this.#book.get('slow')
    if (!slow) return true
    this.#book.hit(slow.id)
    const { data, origin } = event as MessageEvent<unknown>
    this.#latency.delayed(socket, this.#delayOf(slow.fault), () => {
      const copy = new MessageEvent('message', { data, origin })
      if (!this.#dead.has(socket)) this.#dispatch(socket, copy)
    })
    return false
  }

  onStorageWrite(): void {
    const full = this.#book.get('storageFull')
    if (!full) return
    const id = this.#book.hit(full.id)
    throw new DOMException(`The storage is full (${id})`, 'QuotaExceededError')
  }

  #outage(): ActiveFault | undefined {
    return this.#book.get('offline') ?? this.#book.get('unreachable')
  }

  /** Whether this frame is lost. */
  #isLost(direction: 'in' | 'out'): boolean {
    const dropped = this.#book.get('dropFrames')
    if (!dropped || (dropped.fault.way !== direction && dropped.fault.way !== 'both')) return false
    this.#book.hit(dropped.id)
    this.#book.spend('dropFrames')
    return true
  }

  #delayOf({ delay, jitter = 0 }: { readonly delay: number; readonly jitter?: number }): number {
    return delay + this.#entropy.random() * jitter
  }

  /** Applies the effects of a change on the page and the clock. */
  #following<T>(change: () => T): T {
    const wasOffline = this.isOffline()
    const result = change()
    this.#controlled.clock.skew = this.#book.get('skewClock')?.fault.by ?? 0
    if (wasOffline !== this.isOffline()) this.#controlled.notifyPage(wasOffline ? 'online' : 'offline')
    return result
  }

  /** The app receives only the close event. */
  #kill(socket: WebSocket, id: string): void {
    const reason = `fault ${this.#book.hit(id)}`
    this.#dead.add(socket)
    setTimeout(() => {
      this.#dispatch(socket, new CloseEvent('close', { code: 1006, reason, wasClean: false }))
      socket.close()
    }, 0)
  }

  #dispatch(socket: WebSocket, event: Event): void {
    this.#delayedEvents.add(event)
    socket.dispatchEvent(event)
  }
}

/** Simulates latency: a delayed item delays the items behind it, as on a real network. */
class Latency {
  readonly #until = new WeakMap<object, number>()

  /** Runs a callback later; callbacks of one lane keep their order. */
  delayed(lane: object, delay: number, run: () => void): void {
    const now = performance.now()
    const at = Math.max(now + delay, this.#until.get(lane) ?? 0)
    this.#until.set(lane, at)
    setTimeout(run, at - now)
  }

  /** Resolves after the delay, or when the signal aborts. */
  pause(delay: number, signal: AbortSignal | null | undefined): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(resolve, delay)
      signal?.addEventListener('abort', () => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}

type Family = 'auth' | 'rest' | 'storage' | 'functions' | 'realtime' | 'other'

/** Returns the API family of a URL. */
function familyOf(url: string): Family {
  const family = /\/(auth|rest|storage|functions|realtime)\/v1\//.exec(url)?.[1]
  return (family as Family | undefined) ?? 'other'
}

/** Builds a response with this status; `id` is the hit that traces show as its cause. */
function refusal(url: string, status: number, id: string): Response {
  return answer(status, id, bodyOf(familyOf(url), status))
}

/** Builds the family's response for an expired token. */
function expired(url: string, id: string): Response {
  const family = familyOf(url)
  const message = 'JWT expired'
  if (family === 'auth') return answer(403, id, { code: 403, error_code: 'bad_jwt', msg: message })
  if (family === 'storage')
    return answer(400, id, { statusCode: '403', error: 'Unauthorized', code: 'InvalidJWT', message })
  if (family === 'functions') return answer(401, id, { code: 401, message: 'Invalid JWT' })
  return answer(401, id, { code: 'PGRST303', message, details: null, hint: null })
}

/** Builds the auth response for a revoked session. */
function sessionGone(id: string): Response {
  const message = 'Invalid Refresh Token: Refresh Token Not Found'
  return answer(400, id, { code: 400, error_code: 'refresh_token_not_found', msg: message })
}

function bodyOf(family: Family, status: number): object {
  const message = `A client-side fault returned ${status}`
  if (family === 'auth') return { code: status, msg: message }
  if (family === 'storage') return { statusCode: String(status), error: 'Fault', message }
  return { code: `FAULT${status}`, message, details: null, hint: null }
}

function answer(status: number, id: string, body: object): Response {
  const headers = { 'content-type': 'application/json', 'x-chartroom-fault': id }
  return new Response(JSON.stringify(body), { status, headers })
}

/** The parts of a call that rejections depend on. */
interface AskedCall {
  readonly url: string
  readonly signal: AbortSignal | null | undefined
  /** The user's token; absent if the call uses only the API key. */
  readonly token: string | undefined
}

function callOf(...[input, init]: Parameters<typeof globalThis.fetch>): AskedCall {
  const url = input instanceof Request ? input.url : String(input)
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined))
  const bearer = headers.get('authorization')?.replace(/^Bearer /i, '')
  return { url, signal: init?.signal, token: bearer === headers.get('apikey') ? undefined : bearer }
}

/** Rejects tokens that a fault declares invalid. */
class TokenRefusal {
  readonly #book: FaultLog
  /** The expired token: that of the first call after the fault was set. Kept only in memory. */
  #spent: string | undefined

  constructor(book: FaultLog) {
    this.#book = book
  }

  /** Resets the state when a fault is activated. */
  forget(kind: FaultKind): void {
    if (kind === 'expireToken') this.#spent = undefined
  }

  refuse({ url, token }: AskedCall): Response | undefined {
    const revoked = this.#book.get('revoke')
    const grant = /\/auth\/v1\/token\?[^?]*grant_type=(\w+)/.exec(url)?.[1]
    if (revoked && grant === 'refresh_token') return sessionGone(this.#book.hit(revoked.id))
    // A new sign-in creates a new session.
    if (revoked && grant !== undefined) this.#book.clear('revoke')
    else if (revoked && token !== undefined) return expired(url, this.#book.hit(revoked.id))
    const over = this.#book.get('expireToken')
    if (!over || token === undefined) return undefined
    this.#spent ??= token
    return token === this.#spent ? expired(url, this.#book.hit(over.id)) : undefined
  }
}

/** Adds the ids of the faults to a response. */
function withFaultId(response: Response, id: string): Response {
  const { status, statusText, url } = response
  const headers = new Headers(response.headers)
  const faultIds = headers.get('x-chartroom-fault')
  headers.set('x-chartroom-fault', faultIds === null ? id : `${id}, ${faultIds}`)
  const copy = new Response(response.body, { status, statusText, headers })
  Object.defineProperty(copy, 'url', { value: url })
  return copy
}
