// API key checks at the gateway: which requests need a key, and how others are refused.
import { json } from '../shared/errors.ts'
import { callerOf, type Refusal, type Tokens } from '../keys/index.ts'

const WORDS: Record<Refusal, readonly [message: string, code: string, hint?: string]> = {
  noKey: [
    'No API key found in request',
    'UNAUTHORIZED_MISSING_API_KEY',
    'No `apikey` request header or url param was found.',
  ],
  wrongKey: ['Invalid API key', 'UNAUTHORIZED_INVALID_API_KEY', 'Double check your Supabase `apikey`'],
  secretInBrowser: ['Forbidden use of secret API key in browser', 'UNAUTHORIZED_INVALID_API_KEY_TYPE'],
  tokenExpired: ['JWT expired', 'UNAUTHORIZED_INVALID_JWT_FORMAT'],
  tokenInvalid: ['Invalid JWT', 'UNAUTHORIZED_INVALID_JWT_FORMAT'],
}

/**
 * Links in emails, redirects and posts from identity providers carry no key; server health and public keys
 * are public.
 */
const OPEN = /^\/auth\/v1\/(verify|authorize|callback|health|sso\/saml\/.+|\.well-known\/.+)$/

/** Functions verify the token themselves; so do auth and REST for clients without a key. */
function mayLackKey(tokens: Tokens, pathname: string, headers: Headers): boolean {
  if (pathname.startsWith('/functions/v1/')) return headers.has('authorization')
  return !tokens.needsKey && /^\/(?:auth|rest)\/v1\//.test(pathname)
}

/** The response to a refused request. */
export function refuseApiKey(tokens: Tokens, request: Request): Response | undefined {
  const { pathname, searchParams } = new URL(request.url)
  if (OPEN.test(pathname)) return undefined
  const apikey = request.headers.get('apikey') ?? searchParams.get('apikey') ?? undefined
  const refusal = tokens.refuseKey(apikey, callerOf(request.headers))
  if (!refusal || (refusal === 'noKey' && mayLackKey(tokens, pathname, request.headers))) return undefined
  const [message, code, hint] = WORDS[refusal]
  return json(401, { message, ...(hint === undefined ? {} : { hint }) }, { 'sb-error-code': code })
}
