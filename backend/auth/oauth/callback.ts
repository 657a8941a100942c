// Completes an OAuth sign-in: turns the provider's code into an account and redirects back with a session.
import type { Queries } from '../../database/index.ts'
import { isUuid } from '../sessions/caller.ts'
import type { AuthContext } from '../context.ts'
import { AuthError, OAuthError } from '../errors.ts'
import { endFlow, findFlow, isExpired, issueCode, type FlowRow } from '../flows/flow.ts'
import { accountFor, linkIdentity, type ExternalOutcome } from '../identities/external.ts'
import type { ExternalIdentity } from '../identities/linking.ts'
import { redirectSettings, withCode, withSession } from '../mail/links.ts'
import { redirect } from '../redirect.ts'
import { openSession } from '../sessions/sessions.ts'
import { findUserById, type UserRow } from '../accounts/users.ts'
import { errorAddress } from './error-address.ts'
import { identityDataOf, type Profile } from './profile.ts'
import { isProviderName, type ProviderName } from './providers.ts'
import type { Grant, StandIn } from './stand-in.ts'

/** Handles `/callback`, to which the provider redirects the browser. */
export async function finishFlow(
  context: AuthContext,
  standIn: StandIn,
  request: Request,
  answer: URLSearchParams,
): Promise<Response> {
  const site = redirectSettings(context).siteUrl
  let flow: FlowRow
  try {
    flow = await context.database.owner(tx => knownFlow(tx, context, answer.get('state') ?? ''))
  } catch (error) {
    return redirect(303, errorAddress(site, error, false))
  }
  const returnAddress = flow.referrer ?? site
  try {
    return redirect(302, await finish(context, standIn, { request, flow, returnAddress, answer }))
  } catch (error) {
    return redirect(302, errorAddress(returnAddress, error, true))
  }
}

/** @throws 400 `bad_oauth_callback`, `bad_oauth_state` or `flow_state_already_used`. */
async function knownFlow(tx: Queries, context: AuthContext, state: string): Promise<FlowRow> {
  if (state === '') throw new AuthError(400, 'bad_oauth_callback', 'OAuth state parameter missing')
  if (!isUuid(state)) throw new AuthError(400, 'bad_oauth_state', 'OAuth state parameter is invalid')
  const flow = await findFlow(tx, state)
  if (!flow || !isProviderName(flow.provider_type)) {
    throw new AuthError(400, 'bad_oauth_state', 'OAuth state not found or expired')
  }
  if (isExpired(context, flow)) throw new AuthError(400, 'bad_oauth_state', 'OAuth state has expired')
  if (flow.user_id !== null) {
    throw new AuthError(400, 'flow_state_already_used', 'State has already been used')
  }
  return flow
}

interface Callback {
  readonly request: Request
  readonly flow: FlowRow
  readonly returnAddress: string
  readonly answer: URLSearchParams
}

async function finish(context: AuthContext, standIn: StandIn, callback: Callback): Promise<string> {
  const { request, flow, returnAddress, answer } = callback
  const refused = answer.get('error')
  if (refused) throw new OAuthError(refused, answer.get('error_description') ?? '')
  const code = answer.get('code')
  if (!code) {
    const message = 'OAuth callback with missing authorization code missing'
    throw new AuthError(400, 'bad_oauth_callback', message)
  }
  const provider = flow.provider_type as ProviderName
  const grant = standIn.redeem(provider, code)
  if (!grant) {
    const message = `Unable to exchange external code: ${code.slice(0, 4)}`
    throw new AuthError(500, 'unexpected_failure', message)
  }
  const identity = externalIdentity(standIn, provider, grant.profile)
  const outcome = await context.database.owner(async tx => {
    // Another request may have completed this flow in the meantime.
    const current = await knownFlow(tx, context, flow.id)
    const signIn = await enter(tx, context, request, current, identity)
    return 'refusal' in signIn
      ? signIn
      : { address: await leave(tx, context, { request, flow, returnAddress, answer }, grant, signIn.user) }
  })
  if ('refusal' in outcome) throw outcome.refusal
  return outcome.address
}

async function enter(
  tx: Queries,
  context: AuthContext,
  request: Request,
  { linking_target_id }: FlowRow,
  identity: ExternalIdentity,
): Promise<ExternalOutcome> {
  if (linking_target_id === null) return accountFor(tx, context, identity, request)
  const target = await findUserById(tx, linking_target_id)
  if (target) return linkIdentity(tx, context, identity, target, request)
  throw new AuthError(422, 'user_not_found', 'Linking target user not found')
}

/** Returns the redirect URL with the session, or with an auth code if the app uses PKCE. */
async function leave(
  tx: Queries,
  context: AuthContext,
  { request, flow, returnAddress }: Callback,
  { accessToken, refreshToken }: Grant,
  user: UserRow,
): Promise<string> {
  if (flow.code_challenge !== null) {
    return withCode(returnAddress, await issueCode(tx, context, flow, user.id, { accessToken, refreshToken }))
  }
  await endFlow(tx, flow.id)
  const session = await openSession(tx, context, user, { method: 'oauth', request })
  return withSession(returnAddress, session, {
    provider_token: accessToken,
    provider_refresh_token: refreshToken,
  })
}

export function externalIdentity(
  standIn: StandIn,
  provider: ProviderName,
  profile: Profile,
): ExternalIdentity {
  const data = identityDataOf(provider, standIn.issuer(provider), profile)
  return {
    provider,
    sub: data.sub,
    email: data.email,
    emailVerified: profile.emailVerified,
    data: { ...data },
  }
}
