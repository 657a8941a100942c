// Starts an OAuth sign-in: stores the flow and returns the URL of the provider's page.
import type { Queries } from '../../database/index.ts'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { startFlow } from '../flows/flow.ts'
import { redirectSettings } from '../mail/links.ts'
import { readChallenge } from '../flows/pkce.ts'
import { redirectOf } from '../mail/redirects.ts'
import type { UserRow } from '../accounts/users.ts'
import { CLIENT_ID, isProviderName, type ProviderName } from './providers.ts'

/** Parameters that the auth server sets itself or does not pass on to the provider. */
const OWN_PARAMETERS = [
  'apikey',
  'client_id',
  'client_secret',
  'code_challenge',
  'code_challenge_method',
  'code_verifier',
  'provider',
  'redirect_uri',
  'response_type',
  'scopes',
  'state',
]

/**
 * @param target the user to link the identity to; undefined for a sign-in.
 * @returns the URL of the provider's page
 */
export async function providerAddress(
  tx: Queries,
  context: AuthContext,
  request: Request,
  target?: UserRow,
): Promise<string> {
  const { origin, searchParams } = new URL(request.url)
  const param = (name: string) => searchParams.get(name) ?? ''
  const provider = enabledProvider(context, param('provider'))
  if (param('invite_token') !== '') await requireInvitation(tx, param('invite_token'))
  const challenge = readChallenge(param('code_challenge'), param('code_challenge_method'))
  const flow = await startFlow(tx, context, {
    provider,
    method: 'oauth',
    challenge,
    referrer: redirectOf(redirectSettings(context), request),
    ...(target ? { linkingTargetId: target.id } : {}),
  })
  const page = new URL(`/_chartroom/oauth/${provider}`, origin)
  for (const [name, value] of searchParams) {
    if (!OWN_PARAMETERS.includes(name.toLowerCase())) page.searchParams.set(name, value)
  }
  const parameters = {
    client_id: CLIENT_ID,
    redirect_uri: `${origin}/auth/v1/callback`,
    response_type: 'code',
    state: flow.id,
  }
  for (const [name, value] of Object.entries(parameters)) page.searchParams.set(name, value)
  if (param('scopes') !== '') page.searchParams.set('scope', param('scopes').replaceAll(',', ' '))
  return page.href
}

/** @throws 404 `user_not_found` for an unknown token. */
async function requireInvitation(tx: Queries, token: string): Promise<void> {
  const [user] = await tx.query('select 1 from auth.users where confirmation_token = $1 limit 1', [token])
  if (!user) throw new AuthError(404, 'user_not_found', 'User identified by token not found')
}

/** @throws 400 `validation_failed` for an unknown or disabled provider. */
function enabledProvider(context: AuthContext, providerParam: string): ProviderName {
  const name = providerParam.toLowerCase()
  if (name.startsWith('custom:')) throw unsupported('custom OAuth providers are disabled')
  if (!isProviderName(name)) throw unsupported(`Provider ${name} could not be found`)
  if (!isEnabled(context, name)) throw unsupported('provider is not enabled')
  return name
}

export function isEnabled({ settings }: Pick<AuthContext, 'settings'>, name: ProviderName): boolean {
  return settings.external[name]?.enabled === true
}

function unsupported(reason: string): AuthError {
  return new AuthError(400, 'validation_failed', `Unsupported provider: ${reason}`)
}
