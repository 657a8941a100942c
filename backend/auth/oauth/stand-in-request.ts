// Validates authorization requests of OAuth 2 and OpenID Connect to the simulated provider.
import { CLIENT_ID, isProviderName, type ProviderName } from './providers.ts'

export interface AuthorizationRequest {
  readonly provider: ProviderName
  readonly redirectUri: URL
  readonly responseType: 'code' | 'id_token'
  readonly scopes: readonly string[]
  readonly state: string | undefined
  readonly nonce: string | undefined
}

/** Why the sign-in can't start, as text for the user. */
export interface BadRequest {
  readonly reason: string
}

/** @param isAllowed whether a redirect URL is allowed. */
export function readAuthorizationRequest(
  provider: string,
  url: URL,
  isAllowed: (redirect: string) => boolean,
): AuthorizationRequest | BadRequest {
  const param = (name: string) => url.searchParams.get(name) ?? ''
  if (!isProviderName(provider)) return { reason: 'Unknown provider.' }
  if (param('client_id') !== CLIENT_ID) return { reason: 'Unknown client_id.' }
  const responseType = param('response_type') || 'code'
  if (responseType !== 'code' && responseType !== 'id_token') return { reason: 'Unsupported response_type.' }
  const redirectUri = URL.parse(param('redirect_uri'))
  const ownCallback = `${url.origin}/auth/v1/callback`
  const isFine =
    redirectUri !== null &&
    (responseType === 'code' ? redirectUri.href === ownCallback : isAllowed(redirectUri.href))
  if (!isFine) return { reason: 'The redirect_uri is not allowed.' }
  return {
    provider,
    redirectUri,
    responseType,
    scopes: param('scope')
      .split(/[\s,]+/)
      .filter(scope => scope !== ''),
    state: param('state') || undefined,
    nonce: param('nonce') || undefined,
  }
}
