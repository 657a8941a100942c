// Batch broadcasts: all messages are validated first; private ones without permission are silently skipped.
import { fieldOf } from '../shared/fields.ts'
import { gatewayError, json } from '../shared/errors.ts'
import { PolicyError } from './authorize.ts'
import { isRecord } from './join-config.ts'
import { largestPayload, payloadSize } from './settings.ts'
import type { ApiCall } from './http-api.ts'

interface BatchMessage {
  readonly topic: string
  readonly event: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly isPrivate: boolean
  readonly id: string | undefined
}

/** Validation errors of a message, by field. */
type Errors = Readonly<Record<string, readonly string[]>>

const BLANK = "can't be blank"
const INVALID = 'is invalid'

export async function broadcastBatch(call: ApiCall): Promise<Response> {
  const { request, context } = call
  const body = await readBody(request)
  if (body === undefined) return gatewayError(400, 'Bad Request')
  const list = fieldOf(body, 'messages')
  if (list == null || (Array.isArray(list) && list.length === 0)) return invalid([BLANK])
  if (!Array.isArray(list) || !list.every(isRecord)) return invalid([INVALID])
  const errors = list.map(one => check(one, largestPayload(context.settings)))
  if (errors.some(one => Object.keys(one).length > 0)) return invalid(errors)
  const { maxEventsPerSecond } = context.settings
  if (list.length + context.rates.events.perSecond() > maxEventsPerSecond)
    return gatewayError(429, 'Too many messages to broadcast, please reduce the batch size')
  const messages = list.map(read)
  send(
    call,
    messages.filter(one => !one.isPrivate),
  )
  const byTopic = Map.groupBy(
    messages.filter(one => one.isPrivate),
    one => one.topic,
  )
  for (const [topic, group] of byTopic) if (await maySend(call, topic)) send(call, group)
  return new Response(null, { status: 202 })
}

async function readBody(request: Request): Promise<unknown> {
  try {
    const body: unknown = await request.json()
    return body
  } catch {
    return undefined
  }
}

function invalid(messages: unknown): Response {
  return json(422, { errors: { messages } })
}

function check(message: Readonly<Record<string, unknown>>, largest: number): Errors {
  const { payload } = message
  const batchErrors = {
    id: message.id == null || typeof message.id === 'string' ? [] : [INVALID],
    topic: checkName(message.topic),
    event: checkName(message.event),
    private: message.private == null || readFlag(message.private) !== undefined ? [] : [INVALID],
    payload: checkPayload(payload, largest),
  }
  return Object.fromEntries(Object.entries(batchErrors).filter(([, words]) => words.length > 0))
}

function checkName(name: unknown): readonly string[] {
  if (name != null && typeof name !== 'string') return [INVALID]
  return name == null || name.trim() === '' ? [BLANK] : []
}

function checkPayload(payload: unknown, largest: number): readonly string[] {
  if (payload == null) return [BLANK]
  if (!isRecord(payload)) return [INVALID]
  return payloadSize(payload) > largest ? ['Payload size exceeds tenant limit'] : []
}

function readFlag(value: unknown): boolean | undefined {
  if (value === true || value === 'true' || value === '1') return true
  return value === false || value === 'false' || value === '0' ? false : undefined
}

function read(message: Readonly<Record<string, unknown>>): BatchMessage {
  const { topic, event, payload, id } = message
  return {
    topic: String(topic),
    event: String(event),
    payload: isRecord(payload) ? payload : {},
    isPrivate: readFlag(message.private) ?? false,
    id: typeof id === 'string' ? id : undefined,
  }
}

function send({ context }: ApiCall, messages: readonly BatchMessage[]): void {
  for (const { topic, event, payload, isPrivate, id } of messages) {
    context.rates.events.add()
    const meta = id === undefined ? {} : { meta: { id } }
    context.hub.broadcast(topic, isPrivate, { plain: { payload, event, type: 'broadcast', ...meta } })
  }
}

async function maySend({ claims, context }: ApiCall, topic: string): Promise<boolean> {
  try {
    return (await context.authorizer.mayWrite(claims, topic)).broadcast === true
  } catch (error) {
    if (error instanceof PolicyError) return false
    throw error
  }
}
