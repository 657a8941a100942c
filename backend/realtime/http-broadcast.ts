// Broadcasts sent over HTTP, one by one or in a batch.
import * as v from 'valibot'
import { gatewayError } from '../errors.ts'
import { bearerOf, type Claims, type Tokens } from '../tokens.ts'
import type { Hub } from './hub.ts'

const batchSchema = v.object({
  messages: v.array(
    v.object({
      topic: v.pipe(v.string(), v.nonEmpty()),
      event: v.pipe(v.string(), v.nonEmpty()),
      payload: v.optional(v.unknown()),
      private: v.optional(v.boolean(), false),
    }),
  ),
})

type Message = v.InferOutput<typeof batchSchema>['messages'][number]

const SINGLE = /^\/realtime\/v1\/api\/broadcast\/([^/]+)\/events\/([^/]+)$/

export function createHttpBroadcast(
  hub: Hub,
  tokens: Tokens,
  mayUse: (claims: Claims, topic: string) => Promise<boolean>,
): (request: Request) => Promise<Response> {
  return async request => {
    const { pathname } = new URL(request.url)
    const isBatch = pathname === '/realtime/v1/api/broadcast'
    if (!isBatch && !SINGLE.test(pathname)) return gatewayError(404, 'Not Found')
    if (request.method !== 'POST') return gatewayError(405, 'Method Not Allowed')
    const caller = await tokens.identify(
      request.headers.get('apikey') ?? undefined,
      bearerOf(request.headers),
    )
    if ('refusal' in caller) return gatewayError(401, 'Unauthorized')
    const messages = isBatch ? await readBatch(request) : await readSingle(request)
    if (!messages)
      return gatewayError(422, 'The body is not a list of messages with topic, event and payload')
    for (const message of messages) {
      if (message.private && !(await mayUse(caller.claims, message.topic)))
        return gatewayError(403, 'Forbidden')
    }
    for (const { topic, event, payload, private: isPrivate } of messages) {
      hub.broadcast(topic, isPrivate, { event, payload })
    }
    return new Response(null, { status: 202 })
  }
}

async function readBatch(request: Request): Promise<Message[] | undefined> {
  try {
    const parsed = v.safeParse(batchSchema, await request.json())
    return parsed.success ? parsed.output.messages : undefined
  } catch {
    return undefined
  }
}

async function readSingle(request: Request): Promise<Message[] | undefined> {
  const { pathname, searchParams } = new URL(request.url)
  const [, topic, event] = SINGLE.exec(pathname) ?? []
  try {
    const isBinary = request.headers.get('content-type')?.startsWith('application/octet-stream')
    const payload: unknown = isBinary ? new Uint8Array(await request.arrayBuffer()) : await request.json()
    const names = { topic: decodeURIComponent(topic ?? ''), event: decodeURIComponent(event ?? '') }
    return [{ ...names, payload, private: searchParams.get('private') === 'true' }]
  } catch {
    return undefined
  }
}
