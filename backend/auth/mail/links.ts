// The links in emails, and the redirect URLs that a followed link ends at.
import type { AuthContext } from '../context.ts'
import type { AuthError } from '../errors.ts'
import type { RedirectSettings } from './redirects.ts'
import type { SessionBody } from '../sessions/sessions.ts'

/** Allowed redirect targets; the site is the backend itself unless the settings name another. */
export function redirectSettings({ settings, url }: Pick<AuthContext, 'settings' | 'url'>): RedirectSettings {
  return { siteUrl: settings.siteUrl || url, redirectUrls: settings.redirectUrls }
}

/** The link of an email. */
export function actionLink(
  { url }: Pick<AuthContext, 'url'>,
  link: { readonly token: string; readonly type: string; readonly redirectTo: string },
): string {
  return `${url}/auth/v1/verify?${new URLSearchParams({ token: link.token, type: link.type, redirect_to: link.redirectTo })}`
}

/** Ends the implicit flow: the tokens go into the hash, which is not sent to servers. */
export function withSession(
  address: string,
  session: SessionBody,
  extra: Readonly<Record<string, string>> = {},
): string {
  const { access_token, token_type, expires_in, expires_at, refresh_token } = session
  const fields = { access_token, token_type, expires_in, expires_at, refresh_token }
  return `${address}#${encode({ ...extra, ...fields, ...MARK })}`
}

/** Ends the PKCE flow. */
export function withCode(address: string, code: string): string {
  return withQuery(address, { code })
}

/** Adds the error to the address: to the hash, and for PKCE also to the query. */
export function withError(address: string, error: AuthError, isPkce: boolean): string {
  const name = OAUTH_ERRORS[error.status]
  const fields = {
    ...(name === undefined ? {} : { error: name }),
    error_code: error.code,
    error_description: error.message,
  }
  return withHash(isPkce ? withQuery(address, fields) : address, { ...fields, ...MARK })
}

/** Adds a message to the address: to the hash, and for PKCE also to the query. */
export function withMessage(address: string, message: string, isPkce: boolean): string {
  return withHash(isPkce ? withQuery(address, { message }) : address, { message, ...MARK })
}

/** Lets clients distinguish these redirects from others. */
const MARK = { sb: '' }

const OAUTH_ERRORS: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'unauthorized_client',
  403: 'access_denied',
  500: 'server_error',
  503: 'temporarily_unavailable',
}

function withQuery(address: string, fields: Readonly<Record<string, string>>): string {
  const [rest = '', ...hash] = address.split('#')
  const [path = '', ...query] = rest.split('?')
  const parameters = new URLSearchParams(query.join('?'))
  for (const [name, value] of Object.entries(fields)) parameters.set(name, value)
  parameters.sort()
  return `${path}?${parameters}${hash.length > 0 ? `#${hash.join('#')}` : ''}`
}

function withHash(address: string, fields: Readonly<Record<string, string>>): string {
  return `${address.split('#', 1)[0]}#${encode(fields)}`
}

function encode(fields: Readonly<Record<string, string | number>>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) parameters.set(name, String(value))
  parameters.sort()
  return parameters.toString()
}
