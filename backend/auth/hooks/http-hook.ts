// Calls a hook by HTTP with a Standard Webhooks signature; timeouts, retries and errors are those of the official
// server.
import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { NotSent, sendOutgoing, type OutgoingRules } from '../../shared/outgoing.ts'
import { AuthError } from '../errors.ts'

const TIMEOUT_MS = 5_000
const ATTEMPTS = 3
const BACKOFF_MS = 2_000
const LARGEST_RESPONSE = 200 * 1024

export interface HttpHook {
  readonly url: string
  readonly secrets: readonly string[]
}

/** Durations that differ from the official ones, for tests. */
export interface HookTimes {
  readonly timeoutMs?: number
  readonly backoffMs?: number
}

/** Resolves to the text of the response, `undefined` for 204 without content. @throws AuthError */
export async function callHttpHook(
  hook: HttpHook,
  payload: string,
  rules: OutgoingRules,
  { timeoutMs = TIMEOUT_MS, backoffMs = BACKOFF_MS }: HookTimes = {},
): Promise<string | undefined> {
  const signal = AbortSignal.timeout(timeoutMs)
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const response = await send(hook, payload, rules, signal)
    if (response !== undefined && !isRetryable(response)) return read(response, signal, timeoutMs)
    if (signal.aborted) throw timedOut(timeoutMs)
    if (response === undefined) {
      if (attempt === ATTEMPTS)
        throw new AuthError(422, 'hook_timeout_after_retry', 'Failed to reach hook after maximum retries')
      await delay(backoffMs, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) throw timedOut(timeoutMs)
    }
  }
  throw failed('Service currently unavailable due to hook')
}

/** `undefined` if there is no connection. */
async function send(
  hook: HttpHook,
  payload: string,
  rules: OutgoingRules,
  signal: AbortSignal,
): Promise<Response | undefined> {
  const id = randomUUID()
  const seconds = Math.floor(Date.now() / 1000)
  const headers = new Headers({
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': hook.secrets.map(secret => sign(secret, `${id}.${seconds}.${payload}`)).join(', '),
    'accept-encoding': 'identity',
  })
  try {
    return await sendOutgoing(hook.url, { method: 'POST', headers, body: payload, signal }, rules)
  } catch (error) {
    if (error instanceof NotSent) throw failed(`The hook was not called: ${error.message}`)
    return undefined
  }
}

/** A Standard Webhooks signature. */
function sign(secret: string, text: string): string {
  return `v1,${createHmac('sha256', Buffer.from(secret, 'base64')).update(text).digest('base64')}`
}

function isRetryable({ status, headers }: Response): boolean {
  return (status === 429 || status === 503) && Boolean(headers.get('retry-after'))
}

async function read(response: Response, signal: AbortSignal, timeoutMs: number): Promise<string | undefined> {
  const { status, headers } = response
  if (![200, 202, 204].includes(status)) throw failed(REASONS[status] ?? unexpected(status))
  const type = headers.get('content-type') ?? ''
  if (type === '' && status === 204) return undefined
  if (type === '') throw wrongType('Invalid Content-Type: Missing Content-Type header')
  if (!/^application\/json\s*(?:;|$)/i.test(type))
    throw wrongType(`Invalid JSON response. Received content-type: ${type}`)
  const body = await readLimited(response).catch(() => {
    throw signal.aborted ? timedOut(timeoutMs) : failed('The response of the hook broke off')
  })
  if (body) return body.toString()
  const message = `Payload size exceeded size limit of ${LARGEST_RESPONSE} bytes`
  throw new AuthError(422, 'hook_payload_over_size_limit', message)
}

/** Stops reading where the response is too large, and returns undefined. */
async function readLimited({ body }: Response): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > LARGEST_RESPONSE) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Invalid payload sent to hook',
  401: 'Hook requires authorization token',
  429: 'Service currently unavailable due to hook',
  503: 'Service currently unavailable due to hook',
}

function unexpected(status: number): string {
  return `Unexpected status code returned from hook: ${status}`
}

function timedOut(timeoutMs: number): AuthError {
  const seconds = (timeoutMs / 1000).toFixed(6)
  return new AuthError(422, 'hook_timeout', `Failed to reach hook within maximum time of ${seconds} seconds`)
}

function wrongType(message: string): AuthError {
  return new AuthError(400, 'hook_payload_invalid_content_type', message)
}

function failed(message: string): AuthError {
  return new AuthError(500, 'unexpected_failure', message)
}
