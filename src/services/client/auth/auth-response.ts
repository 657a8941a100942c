// Responses of an auth server, and failures derived from their status.
import { type AccessRefusal, type Failure, isKeyRefusal, keyFailure } from '../../../machines/index.ts'
import { readRefusal } from '../requests/read-refusal.ts'
import { faultIdOf, retryAfterOf } from '../requests/responses.ts'

/** The relevant parts of an auth response or error, independent of the API version. */
export interface AuthResponse {
  /** 0 if there was no response. */
  readonly status: number
  readonly code?: string | undefined
  readonly message: string
  /** Seconds. */
  readonly retryAfter?: number | undefined
  readonly faultId?: string | undefined
  /** Why the request was refused, if it gives a reason. */
  readonly refusal?: AccessRefusal | undefined
}

/** The wait between two emails to one user is only in the message text. */
const waitIn = (message: string): number | undefined => {
  const seconds = /after (\d{1,6}) seconds/.exec(message)?.[1]
  return seconds === undefined ? undefined : Number(seconds)
}

type FailureText = Pick<Failure, 'kind' | 'message'>

/** @param failure kind and message, if more specific than those by status */
export function plainFailure(
  { status, code, message, retryAfter: retryAfterS, faultId, refusal }: AuthResponse,
  failure: FailureText = byStatus(status, message),
): Failure {
  if (isKeyRefusal(refusal))
    return { ...keyFailure(refusal, status), ...(faultId !== undefined && { faultId }) }
  const retryAfter = retryAfterS ?? (status === 429 ? waitIn(message) : undefined)
  return {
    ...failure,
    ...(code !== undefined && { code }),
    ...(status > 0 && { status }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(faultId !== undefined && { faultId }),
  }
}

/** Adds what official errors lack, such as Retry-After. Not enumerable, so that they equal those of supabase-js. */
export function describedAs<Official extends object>(error: Official, failure: Failure): Official {
  return Object.defineProperty(error, 'failure', { value: failure })
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
  const content = await response.text().catch(() => '')
  const body = parsed(content)
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  const text = [fields['msg'], fields['message'], fields['error_description'], fields['error']]
  const code = [fields['error_code'], fields['code']].find(value => typeof value === 'string')
  return {
    status: response.status,
    code,
    message: text.find(value => typeof value === 'string') ?? `status ${response.status}`,
    retryAfter: retryAfterOf(response),
    faultId: faultIdOf(response),
    refusal: await refusalOf(response, content),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A refused password has status 400, too, so that only other statuses are read. */
async function refusalOf({ status, headers }: Response, text: string): Promise<AccessRefusal | undefined> {
  return status === 400 ? undefined : readRefusal({ family: 'auth', status, text, headers, bearer: 'own' })
}
