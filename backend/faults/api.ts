// `/_chartroom/faults`: the plan, its hits, and held requests.
import { Hono, type Context, type MiddlewareHandler } from 'hono'
import * as v from 'valibot'
import { gatewayError, json } from '../shared/errors.ts'
import { readWhole } from '../shared/request-body.ts'
import { bearerOf, type Tokens } from '../keys/index.ts'
import { createHitStream } from './hit-stream.ts'
import { FaultPlanError, parseAnswer, parsePlan } from './parse-plan.ts'
import type { FaultControl } from './control.ts'
import type { Fault, FaultPlan, Story } from './plan.ts'

export interface FaultApi {
  readonly app: Hono
  /** Ends the streams. */
  end(): void
}

const LARGEST_PLAN = 1024 * 1024

export function createFaultApi(control: FaultControl, tokens: Tokens): FaultApi {
  const app = new Hono()
  const streams = createHitStream(control)
  app.use(requireJson)
  app.get('/', context => {
    const since = Number(context.req.query('since') ?? context.req.header('last-event-id') ?? 0)
    if (!Number.isSafeInteger(since) || since < 0)
      return gatewayError(400, '`since` must be the number of a hit')
    if (context.req.header('accept')?.includes('text/event-stream')) return streams.open(since)
    return json(200, { plan: control.plan(), hits: control.hits(since), held: control.heldRequests() })
  })
  app.post('/', async context => {
    const plan = asPlan(await readJson(context))
    await requireRight(context.req.raw, plan, tokens)
    return json(201, { added: control.add(...plan.faults) })
  })
  app.put('/', async context => {
    const plan = parsePlan(await readJson(context))
    await requireRight(context.req.raw, plan, tokens)
    return json(200, { added: control.replace(plan) })
  })
  app.delete('/', () => json(200, { removed: control.clear() }))
  app.delete('/:id', context => {
    const removed = control.clear(context.req.param('id'))
    return removed > 0 ? json(200, { removed }) : gatewayError(404, 'There is no fault with that id')
  })
  app.post('/held/:id/release', async context => {
    const answer = parseAnswer(await readJson(context))
    const isReleased = control.release(context.req.param('id'), answer)
    return isReleased ? json(200, { released: true }) : gatewayError(404, 'Nothing is held with that id')
  })
  app.notFound(() => gatewayError(404, 'Not Found'))
  app.onError(error => {
    if (error instanceof FaultPlanError)
      return json(400, { message: error.message, problems: error.problems })
    if (error instanceof Refused) return error.toResponse()
    throw error
  })
  return { app, end: streams.end }
}

class Refused extends Error {
  override name = 'Refused'
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }

  toResponse(): Response {
    // The unread rest of a body must not be parsed as the next request.
    return json(this.status, { message: this.message }, this.status === 413 ? { connection: 'close' } : {})
  }
}

/** A form on another site can't send JSON. */
const requireJson: MiddlewareHandler = async ({ req }, next) => {
  const isWrite = req.method === 'POST' || req.method === 'PUT'
  if (isWrite && !/^application\/json\s*(;|$)/i.test(req.header('content-type') ?? ''))
    return gatewayError(415, 'The content type must be application/json')
  return next()
}

async function readJson({ req }: Context): Promise<unknown> {
  const body = await readWhole(req.raw, LARGEST_PLAN)
  if (body === 'tooLarge') throw new Refused(413, 'The plan is larger than 1 MB')
  const text = await body.text()
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch {
    throw new Refused(400, 'The body is not JSON')
  }
}

/** Wraps one fault or several as a plan. */
function asPlan(body: unknown): FaultPlan {
  if (Array.isArray(body)) return parsePlan({ faults: body })
  return parsePlan(v.is(v.object({ faults: v.unknown() }), body) ? body : { faults: [body] })
}

/** Moving the clock can make expired tokens valid again, so it requires the secret key. */
async function requireRight({ headers }: Request, { faults }: FaultPlan, tokens: Tokens): Promise<void> {
  const movesClock = faults.some((fault: Fault | Story) => 'do' in fault && fault.do.clock !== undefined)
  if (!movesClock) return
  const caller = await tokens.identify(headers.get('apikey') ?? undefined, bearerOf(headers))
  if ('refusal' in caller || caller.claims.role !== 'service_role')
    throw new Refused(403, 'Only the secret key may move the clock; send it as `apikey`')
}
