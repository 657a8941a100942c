// The realtime HTTP API: a ping, and broadcasts in batches or one by one.
import { broadcastBatch } from './http-batch.ts'
import { broadcastOne } from './http-single.ts'
import { identify } from './token-refusal.ts'
import { gatewayError, json } from '../shared/errors.ts'
import { bearerOf, type Claims } from '../keys/index.ts'
import { UnavailableError } from '../shared/unavailable.ts'
import type { RealtimeContext } from './realtime-context.ts'

/** A request with an identified caller. */
export interface ApiCall {
  readonly request: Request
  readonly claims: Claims
  readonly context: RealtimeContext
}

const BATCH = '/realtime/v1/api/broadcast'
const SINGLE = /^\/realtime\/v1\/api\/broadcast\/([^/]+)\/events\/([^/]+)$/
const PING = '/realtime/v1/api/ping'

export function createHttpApi(context: RealtimeContext): (request: Request) => Promise<Response> {
  return async request => {
    const answer = await route(request, context)
    if (answer.status === 404) return answer
    const { maxEventsPerSecond: maxPerSecond } = context.settings
    const rolling = Math.trunc(context.rates.events.perSecond())
    answer.headers.set('x-rate-rolling', String(rolling))
    answer.headers.set('x-rate-limit', String(maxPerSecond))
    answer.headers.set('x-rate-limit-remaining', String(maxPerSecond - rolling))
    return answer
  }
}

async function route(request: Request, context: RealtimeContext): Promise<Response> {
  const { pathname } = new URL(request.url)
  const single = SINGLE.exec(pathname)
  const isPing = pathname === PING && ['GET', 'HEAD'].includes(request.method)
  const isBroadcast = request.method === 'POST' && (pathname === BATCH || single)
  if (!isPing && !isBroadcast) return gatewayError(404, 'Not Found')
  if (single && !isReadable(request)) {
    const error = 'Unsupported Media Type. Use application/json or application/octet-stream'
    return json(415, { error })
  }
  if (Math.trunc(context.rates.events.perSecond()) >= context.settings.maxEventsPerSecond)
    return gatewayError(429, 'Too many requests')
  if (isPing) return json(200, { message: 'Success' })
  const claims = await callerOf(request, context)
  if (!claims) return gatewayError(401, 'Unauthorized')
  try {
    const call = { request, claims, context }
    return single ? await broadcastOne(call, single[1] ?? '', single[2] ?? '') : await broadcastBatch(call)
  } catch (error) {
    if (error instanceof UnavailableError) throw error
    return gatewayError(500, 'Unable to authorize broadcast')
  }
}

async function callerOf(
  { headers }: Request,
  { tokens, clock }: RealtimeContext,
): Promise<Claims | undefined> {
  const apikey = headers.get('apikey') ?? ''
  const identity = await identify(tokens, apikey, bearerOf(headers) ?? apikey, clock.now())
  return 'code' in identity ? undefined : identity.claims
}

function isReadable({ headers }: Request): boolean {
  const type = headers.get('content-type')
  return type === null || /^application\/(json|octet-stream)\s*(;|$)/i.test(type.trim())
}
