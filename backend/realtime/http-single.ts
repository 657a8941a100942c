// A single broadcast, with topic and event in the path: JSON or bytes, public or private.
import { gatewayError, json } from '../shared/errors.ts'
import { PolicyError } from './authorize.ts'
import { isRecord } from './join-config.ts'
import { largestPayload, payloadSize } from './settings.ts'
import type { ApiCall } from './http-api.ts'

export async function broadcastOne(call: ApiCall, topicPart: string, eventPart: string): Promise<Response> {
  const { request, context } = call
  const [topic, event] = [decode(topicPart), decode(eventPart)]
  const payload = await readPayload(request)
  if (topic === undefined || event === undefined || payload === undefined)
    return gatewayError(400, 'Bad Request')
  const errors = check({ topic, event, payload }, largestPayload(context.settings))
  if (errors) return json(422, { errors })
  if (context.rates.events.perSecond() >= context.settings.maxEventsPerSecond)
    return gatewayError(429, 'You have exceeded your rate limit')
  const isPrivate = new URL(request.url).searchParams.get('private') === 'true'
  const refusal = isPrivate ? await refuse(call, topic) : undefined
  if (refusal) return refusal
  context.rates.events.add()
  context.hub.broadcast(topic, isPrivate, { event, payload })
  return new Response(null, { status: 202 })
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

/** Bytes, or the object of a JSON body; other JSON is wrapped under `_json`, as in the original. */
async function readPayload(request: Request): Promise<Uint8Array | Record<string, unknown> | undefined> {
  const bytes = new Uint8Array(await request.arrayBuffer())
  if (request.headers.get('content-type')?.trim().toLowerCase().startsWith('application/octet-stream'))
    return bytes
  if (bytes.length === 0) return {}
  try {
    const body: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return isRecord(body) ? { ...body } : { _json: body }
  } catch {
    return undefined
  }
}

function check(
  message: { topic: string; event: string; payload: unknown },
  largest: number,
): Readonly<Record<string, readonly string[]>> | undefined {
  const blank = (['topic', 'event'] as const).filter(name => message[name].trim() === '')
  const errors = {
    ...Object.fromEntries(blank.map(name => [name, ["can't be blank"]])),
    ...(payloadSize(message.payload) > largest && { payload: ['Payload size exceeds tenant limit'] }),
  }
  return Object.keys(errors).length > 0 ? errors : undefined
}

async function refuse({ claims, context }: ApiCall, topic: string): Promise<Response | undefined> {
  try {
    const { broadcast } = await context.authorizer.mayWrite(claims, topic)
    return broadcast ? undefined : gatewayError(403, 'Unauthorized')
  } catch (error) {
    if (error instanceof PolicyError) return gatewayError(422, 'RLS policy error')
    throw error
  }
}
