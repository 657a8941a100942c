// Builds a session from the tokens of a link and the user they belong to.
import type { AuthClient } from '../client-types.ts'
import { secondsOf } from './url-session.ts'
import type { AuthReply } from './vault.ts'

/** Only the server knows whether the tokens are valid, and whose they are. */
export async function withUser(
  client: AuthClient,
  params: Readonly<Record<string, string>>,
): Promise<AuthReply> {
  const { access_token = '', refresh_token = '', token_type = 'bearer' } = params
  const { data, error } = await client.getUser(access_token)
  if (error) return { data: null, error }
  const provider = ['provider_token', 'provider_refresh_token'].flatMap(name =>
    params[name] === undefined ? [] : [[name, params[name]]],
  )
  const expires_at = secondsOf(params['expires_at'])
  const session = {
    ...(Object.fromEntries(provider) as Readonly<Record<string, string>>),
    access_token,
    refresh_token,
    token_type,
    expires_in: secondsOf(params['expires_in']) ?? 0,
    ...(expires_at !== undefined && { expires_at }),
    user: data.user,
  }
  return { data: { session }, error: null }
}
