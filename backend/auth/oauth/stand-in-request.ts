// What an app asks of the stand-in: the authorization request of OAuth 2 and OpenID Connect, checked.
import { CLIENT_ID, isProviderName, type ProviderName } from './providers.ts'

export interface AuthorizationRequest {
  readonly provider: ProviderName
  readonly redirectUri: URL
  readonly responseType: 'code' | 'id_token'
  readonly scopes: readonly string[]
  readonly state: string | undefined
  readonly nonce: string | undefined
}

/** Why there can be no sign-in, in words for the person. */
export interface BadRequest {
  readonly reason: string
}

/** @param isAllowed whether an app may be called back at an address. */
export function readAuthorizationRequest(
  provider: string,
  url: URL,
  isAllowed: (redirect: string) => boolean,
): AuthorizationRequest | BadRequest {
  const asked = (name: string) => url.searchParams.get(name) ?? ''
  if (!isProviderName(provider)) return { reason: 'No provider of that name is known here.' }
  if (asked('client_id') !== CLIENT_ID) return { reason: 'The app that asks is not registered here.' }
  const responseType = asked('response_type') || 'code'
  if (responseType !== 'code' && responseType !== 'id_token')
    return { reason: 'The app asks for an answer of a kind that is not given here.' }
  const redirectUri = URL.parse(asked('redirect_uri'))
  const ownCallback = `${url.origin}/auth/v1/callback`
  const isFine =
    redirectUri !== null &&
    (responseType === 'code' ? redirectUri.href === ownCallback : isAllowed(redirectUri.href))
  if (!isFine) return { reason: 'The app asks for the answer at an address that is not registered here.' }
  return {
    provider,
    redirectUri,
    responseType,
    scopes: asked('scope')
      .split(/[\s,]+/)
      .filter(scope => scope !== ''),
    state: asked('state') || undefined,
    nonce: asked('nonce') || undefined,
  }
}
