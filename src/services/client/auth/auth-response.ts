// Responses of an auth server, and failures derived from their status.
import type { Failure } from '../../../machines/index.ts'

/** The relevant parts of an auth response or error, independent of the API version. */
export interface AuthResponse {
  /** 0 if there was no response. */
  readonly status: number
  readonly code?: string | undefined
  readonly message: string
  /** Seconds. */
  readonly retryAfter?: number | undefined
  readonly faultId?: string | undefined
}

/** The wait between two emails to one user is only in the message text. */
const waitIn = (message: string): number | undefined => {
  const seconds = /after (\d{1,6}) seconds/.exec(message)?.[1]
  return seconds === undefined ? undefined : Number(seconds)
}

type FailureText = Pick<Failure, 'kind' | 'message'>

/** @param failure kind and message, if more specific than those by status */
export function plainFailure(
  { status, code, message, retryAfter: asked, faultId }: AuthResponse,
  failure: FailureText = byStatus(status, message),
): Failure {
  const retryAfter = asked ?? (status === 429 ? waitIn(message) : undefined)
  return {
    ...failure,
    ...(code !== undefined && { code }),
    ...(status > 0 && { status }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(faultId !== undefined && { faultId }),
  }
}

function byStatus(status: number, message: string): FailureText {
  if (status === 0) return { kind: 'network', message: 'The backend cannot be reached.' }
  if (status === 429) return { kind: 'rateLimit', message: 'Too many attempts. Wait a moment and try again.' }
  if (status >= 500) return { kind: 'server', message: `The backend failed with status ${status}.` }
  if (status === 404) return { kind: 'notFound', message }
  if (status === 422) return { kind: 'validation', message }
  return { kind: 'auth', message }
}

/** Reads the error body of an auth response. If the body is not JSON, only the status is used. */
export async function readAuthResponse(response: Response): Promise<AuthResponse> {
  const body: unknown = await response.json().catch(() => undefined)
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  const text = [fields['msg'], fields['message'], fields['error_description'], fields['error']]
  const code = [fields['error_code'], fields['code']].find(value => typeof value === 'string')
  return {
    status: response.status,
    code,
    message: text.find(value => typeof value === 'string') ?? `status ${response.status}`,
    retryAfter: retryAfterOf(response),
    faultId: faultIdOf(response),
  }
}

/**
 * Returns Retry-After in seconds. A date is compared with the server's own time, if present, rather than with
 * this device's.
 */
export function retryAfterOf({ headers }: Response): number | undefined {
  const asked = headers.get('retry-after')
  if (asked === null) return undefined
  const now = Date.parse(headers.get('date') ?? '') || Date.now()
  const seconds = /^\s*\d/.test(asked) ? Number(asked) : Math.max(0, (Date.parse(asked) - now) / 1000)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}

/** The server's value is written to traces, so only an id and a count are accepted. */
const FAULT_ID = /^[\w.-]{1,64}#\d{1,10}$/

/**
 * Returns the injected fault that a response of the embedded backend names as its cause; the first if there
 * are several.
 */
export function faultIdOf(response: Response): string | undefined {
  const first = response.headers.get('x-chartroom-fault')?.split(',', 1)[0]?.trim()
  return first !== undefined && FAULT_ID.test(first) ? first : undefined
}
