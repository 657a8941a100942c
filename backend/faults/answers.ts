// Error responses in the format of each service, as its real server would send them.
import { AuthError, errorResponse } from '../auth/index.ts'
import { gatewayError, json, restError } from '../shared/errors.ts'
import { StorageFailure } from '../storage/index.ts'
import { knownCode, type Family } from './codes/known-codes.ts'
import type { HeldAnswer } from './held-requests.ts'

/** Default codes by service and status. */
const DEFAULT_CODES: Readonly<Record<Family, Readonly<Record<number, string>>>> = {
  auth: {
    401: 'bad_jwt',
    403: 'not_admin',
    404: 'user_not_found',
    409: 'conflict',
    413: 'request_entity_too_large',
    422: 'validation_failed',
    429: 'over_request_rate_limit',
    504: 'request_timeout',
  },
  rest: { 401: 'PGRST301', 403: '42501', 404: 'PGRST205', 409: '23505', 503: 'PGRST000', 504: 'PGRST003' },
  storage: {
    403: 'AccessDenied',
    404: 'NoSuchKey',
    409: 'ResourceAlreadyExists',
    413: 'EntityTooLarge',
    423: 'ResourceLocked',
    503: 'SlowDown',
  },
  functions: {
    401: 'UNAUTHORIZED_NO_AUTH_HEADER',
    404: 'NOT_FOUND',
    503: 'BOOT_ERROR',
    504: 'IDLE_TIMEOUT',
    546: 'WORKER_LIMIT',
  },
  realtime: {},
}

const LAST_RESORT: Readonly<Record<Family, string>> = {
  auth: 'unexpected_failure',
  rest: 'PGRSTX00',
  storage: 'InternalError',
  functions: 'WORKER_ERROR',
  realtime: 'error',
}

/** The response of a fault or a release. */
export function answerFor(answer: HeldAnswer, family: Family, request: Request): Response {
  const code = answer.code ?? DEFAULT_CODES[family][answer.status ?? 500] ?? LAST_RESORT[family]
  const codeInfo = knownCode(code, family)
  const message =
    answer.message ??
    (answer.code === undefined && answer.status !== undefined ? PLAIN : undefined) ??
    codeInfo?.message ??
    PLAIN
  const response = write(family, { code, message, status: answer.status, codeInfo }, request)
  if (answer.retryAfter === undefined) return response
  const headers = new Headers(response.headers)
  headers.set('retry-after', String(answer.retryAfter))
  return new Response(response.body, { status: response.status, headers })
}

const PLAIN = 'The request was refused by an injected fault'

interface Words {
  readonly code: string
  readonly message: string
  /** The requested status; defaults to the code's own. */
  readonly status: number | undefined
  readonly codeInfo: ReturnType<typeof knownCode>
}

function write(
  family: Family,
  { code, message, status: requestedStatus, codeInfo }: Words,
  request: Request,
): Response {
  const status = requestedStatus ?? codeInfo?.status ?? 500
  switch (family) {
    case 'auth': {
      const extra = code === 'weak_password' ? { weak_password: { reasons: ['length'] } } : {}
      return errorResponse(new AuthError(status, code, message, extra), request)
    }
    case 'rest':
      return restError(status, code, message)
    case 'storage': {
      // The storage server sends most errors with status 400 and the actual status in the body.
      const sent = requestedStatus ?? (status >= 500 ? status : 400)
      return new StorageFailure(
        codeInfo?.status ?? status,
        code,
        codeInfo?.olderError ?? code,
        message,
        sent,
      ).toResponse()
    }
    case 'functions':
      return json(status, { code, message }, { 'x-relay-error': 'true', 'sb-error-code': code })
    case 'realtime':
      return gatewayError(status, message)
  }
}
