// Faults on requests: applied by the gateway before, instead of and after the real response.
import type { ServerResponse } from 'node:http'
import type { Http2ServerResponse } from 'node:http2'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context, MiddlewareHandler } from 'hono'
import { answerFor } from './answers.ts'
import { disturbBody } from './bodies.ts'
import { callerOf } from './caller.ts'
import { textOf } from '../shared/fields.ts'
import { readWhole } from '../shared/request-body.ts'
import { bearerOf } from '../keys/index.ts'
import type { Family } from './codes/known-codes.ts'
import type { Effect, Engine } from './engine.ts'
import type { HeldAnswer, Hold } from './held-requests.ts'
import type { Pauses } from './pauses.ts'
import type { Caller } from './rule.ts'
import type { SessionFaults } from './sessions.ts'

export interface HttpFaultParts {
  readonly engine: Engine
  readonly pauses: Pauses
  readonly sessions: SessionFaults
}

export type Env = { Bindings: Partial<HttpBindings> }

export const FAULT_HEADER = 'x-chartroom-fault'
const FAMILIES: readonly string[] = ['auth', 'rest', 'storage', 'functions', 'realtime'] satisfies Family[]
/** The auth server's own limit. */
const LARGEST_TOKEN_BODY = 1024 * 1024

const isFamily = (name: string): name is Family => FAMILIES.includes(name)

/** The gateway's middleware; an empty plan costs a single check. */
export function createHttpFaults(parts: HttpFaultParts): MiddlewareHandler<Env> {
  const { engine } = parts
  return async (context, next) => {
    if (engine.isQuiet()) return next()
    const url = new URL(context.req.url)
    const family = url.pathname.split('/')[1] ?? ''
    if (!isFamily(family)) return next()
    const refreshToken = await findRefreshToken(context, url)
    const effect = engine.decide({
      family,
      method: context.req.method,
      path: url.pathname,
      query: url.searchParams,
      caller: await findCaller(context.req.raw, url, refreshToken, parts),
      isRefresh: refreshToken !== undefined,
    })
    if (effect) return new Disturbance(context, family, refreshToken, effect, parts).run(next)
    await next()
    const label = engine.clockLabel()
    if (label !== undefined) context.header(FAULT_HEADER, label)
  }
}

/** The refresh token of a refresh grant. Buffers the body, so that it can be read again. */
async function findRefreshToken({ req }: Context<Env>, url: URL): Promise<string | undefined> {
  const isGrant =
    req.method === 'POST' &&
    url.pathname === '/auth/v1/token' &&
    url.searchParams.get('grant_type') === 'refresh_token'
  if (!isGrant) return undefined
  const { headers } = req.raw
  const bodyText = await readWhole(req.raw, LARGEST_TOKEN_BODY)
  req.raw =
    bodyText === 'tooLarge' ? new Request(url, { method: req.method, headers: announced(headers) }) : bodyText
  const body: unknown = await req.raw
    .clone()
    .json()
    .catch(() => undefined)
  return textOf(body, 'refresh_token') ?? ''
}

/**
 * Marks a body that was too large to read, so that the gateway also treats it as too large without reading it
 * again.
 */
function announced(headers: Headers): Headers {
  const allHeaders = new Headers(headers)
  allHeaders.set('content-length', String(LARGEST_TOKEN_BODY + 1))
  return allHeaders
}

async function findCaller(
  { headers }: Request,
  url: URL,
  refreshToken: string | undefined,
  { engine, sessions }: HttpFaultParts,
): Promise<Caller> {
  const owner = refreshToken && engine.asksWho() ? await sessions.ownerOf(refreshToken) : undefined
  return owner ?? callerOf(bearerOf(headers), headers.get('apikey'), url.searchParams.get('apikey'))
}

/** One disturbed request, from arrival to response. */
class Disturbance {
  readonly #context: Context<Env>
  readonly #family: Family
  readonly #refreshToken: string | undefined
  readonly #effect: Effect
  readonly #parts: HttpFaultParts

  constructor(
    context: Context<Env>,
    family: Family,
    refreshToken: string | undefined,
    effect: Effect,
    parts: HttpFaultParts,
  ) {
    this.#context = context
    this.#family = family
    this.#refreshToken = refreshToken
    this.#effect = effect
    this.#parts = parts
  }

  async run(next: () => Promise<void>): Promise<void> {
    const { wait, lost: isLost, answer } = this.#effect
    await this.#parts.pauses.wait(wait)
    const requestHold = await this.#hold('request')
    if (requestHold) return this.#answer(requestHold)
    if (isLost === 'request') return this.#reset()
    await this.#touchSession()
    if (answer) this.#context.res = answerFor(answer, this.#family, this.#context.req.raw)
    else await next()
    const responseHold = await this.#hold('response')
    if (isLost === 'response') return this.#reset()
    if (responseHold) return this.#answer(responseHold)
    this.#disturbBody()
  }

  #answer(answer: HeldAnswer): void {
    // Otherwise, headers of the response that is replaced would stay.
    this.#context.res = undefined
    this.#context.res = answerFor(answer, this.#family, this.#context.req.raw)
    this.#label()
  }

  #disturbBody(): void {
    const { truncate, bytesPerSecond } = this.#effect
    if (truncate !== undefined && !this.#context.res.body) return this.#reset()
    if ((truncate ?? bytesPerSecond) !== undefined) {
      const line = { pauses: this.#parts.pauses, abort: () => this.#abort() }
      this.#context.res = disturbBody(this.#context.res, { truncate, bytesPerSecond }, line)
    }
    this.#label()
  }

  #label(): void {
    const labels = [this.#effect.label, this.#parts.engine.clockLabel()].filter(Boolean)
    this.#context.header(FAULT_HEADER, labels.join(', '))
  }

  /** Waits until all holds at this place are released; a disconnected client releases them too. */
  async #hold(at: Hold['at']): Promise<HeldAnswer | undefined> {
    const holds = this.#effect.holds.filter(hold => hold.at === at)
    if (holds.length === 0) return undefined
    const outgoing = this.#outgoing()
    const letGo = () => holds.forEach(({ id }) => this.#parts.engine.holds.release(id))
    outgoing?.once('close', letGo)
    const answers = await Promise.all(holds.map(({ released }) => released))
    outgoing?.off('close', letGo)
    return answers.find(answer => answer !== undefined)
  }

  /** Applies the fault to the session; its service then responds in its usual way. */
  async #touchSession(): Promise<void> {
    const { session, token: life } = this.#effect
    const { req } = this.#context
    const { sessions } = this.#parts
    const token = bearerOf(req.raw.headers)
    const refreshToken = this.#refreshToken
    if (session === 'revoked') await sessions.revoke({ token, refreshToken })
    if (session === 'reused' && refreshToken !== undefined) await sessions.reuse(refreshToken)
    if (life !== 'expired' || token === undefined) return
    const { url, method, body } = req.raw
    const headers = new Headers(req.raw.headers)
    headers.set('authorization', `Bearer ${await sessions.expire(token)}`)
    // Undici requires `duplex` with a stream; the DOM types lack it.
    const init = { method, headers, body, duplex: 'half' }
    req.raw = new Request(url, init)
  }

  #outgoing(): ServerResponse | Http2ServerResponse | undefined {
    return this.#context.env.outgoing
  }

  #reset(): void {
    const socket = this.#outgoing()?.socket
    if (socket && 'resetAndDestroy' in socket) socket.resetAndDestroy()
    this.#context.res = RESPONSE_ALREADY_SENT
  }

  /** Sends what was written first; without the end of the body, the client detects that data is missing. */
  #abort(): void {
    const socket = this.#outgoing()?.socket
    setImmediate(() => socket?.destroySoon())
  }
}
