// Reads the response of a request: the body is read completely or watched while it streams.
import { brokenOff, type RequestInfo, type SendEvent } from '../../../machines/index.ts'
import { faultIdOf, retryAfterOf } from '../auth/auth-response.ts'
import type { WatchedBody } from './watched-body.ts'

type Family = RequestInfo['family']

export interface ParsedResponse {
  readonly event: SendEvent
  /** The response for the app; absent if the body was interrupted. */
  readonly response?: Response
  readonly body?: WatchedBody
}

/**
 * Plain responses are read here, so that an interrupted one is a failure like any other and can be retried.
 */
export async function readAnswer(
  response: Response,
  family: Family,
  waited: () => number,
  report: (event: SendEvent) => void,
): Promise<ParsedResponse> {
  if (!response.body) return { response, event: eventOf(response, family, '', waited) }
  // Without the code to watch a stream, the response is read completely.
  const code = isStreaming(response, family) && (await import('./watched-body.ts').catch(() => undefined))
  if (code) {
    const body = code.watchBody(response.body, report)
    const event = { ...eventOf(response, family, '', waited), streaming: true as const }
    return { response: withBody(body.stream, response), body, event }
  }
  const content = await response.arrayBuffer().catch(() => undefined)
  if (!content) return { event: { type: 'send.failed', failure: brokenOff } }
  const text = response.ok ? '' : new TextDecoder().decode(content.slice(0, 2000))
  const event = { ...eventOf(response, family, text, waited), bytes: content.byteLength }
  return { response: withBody(content, response), event }
}

const isStreaming = ({ ok, headers }: Response, family: Family): boolean =>
  ok && family !== 'rest' && family !== 'auth' && !/\bjson\b/.test(headers.get('content-type') ?? '')

function withBody(body: BodyInit, { status, statusText, headers, url }: Response): Response {
  const response = new Response(body, { status, statusText, headers })
  Object.defineProperty(response, 'url', { value: url })
  return response
}

function eventOf(response: Response, family: Family, text: string, waited: () => number) {
  const { status } = response
  const retryAfter = retryAfterOf(response)
  const faultId = faultIdOf(response)
  return {
    type: 'send.answered' as const,
    status,
    ...(retryAfter !== undefined && { retryAfter, waited: Math.round(waited()) }),
    ...(isTokenRefused(status, family, text) && { tokenRefused: true as const }),
    ...(faultId !== undefined && { faultId }),
  }
}

/**
 * Detects rejected tokens beyond status 401: auth responds with 403, storage with 400 and the actual status
 * in the body, and functions may also send 401 for other reasons.
 */
function isTokenRefused(status: number, family: Family, text: string): boolean {
  if (family === 'auth') return status === 403 && text.includes('"bad_jwt"')
  if (family === 'functions') return status === 401 && /\bjwt\b/i.test(text)
  if (family !== 'storage' || status !== 400) return false
  const isAboutAccess = /"(?:statusCode":\s*"40[13]|code":\s*"InvalidJWT)"/.test(text)
  return isAboutAccess && /jwt|jws|\\"exp\\"|invalid signature/i.test(text)
}
