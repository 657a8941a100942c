// The last step of PKCE: exchanges a code and its verifier for a session.
import { audit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { endFlow, findFlowByCode, isExpired, providerTokensOf } from './flow.ts'
import { checkVerifier } from './pkce.ts'
import { textIn, type Body } from '../requests.ts'
import { openSession, type SessionBody } from '../sessions/sessions.ts'
import { findUserById } from '../accounts/users.ts'

/** A session, with the provider's tokens if the user signed in with a social provider. */
type ExchangedSession = SessionBody & {
  readonly provider_token?: string
  readonly provider_refresh_token?: string
}

/** Handles `/token?grant_type=pkce`: each code gives one session. */
export async function pkceGrant(context: AuthContext, request: Request, body: Body): Promise<Response> {
  const code = textIn(body, 'auth_code')
  const verifier = textIn(body, 'code_verifier')
  return Response.json(await exchangeCode(context, request, code, verifier))
}

function exchangeCode(
  context: AuthContext,
  request: Request,
  code: string,
  verifier: string,
): Promise<ExchangedSession> {
  if (code === '' || verifier === '') {
    const message = 'invalid request: both auth code and code verifier should be non-empty'
    throw new AuthError(400, 'validation_failed', message)
  }
  return context.database.owner(async tx => {
    const flow = await findFlowByCode(tx, context, code)
    const user = flow?.user_id ? await findUserById(tx, flow.user_id) : undefined
    if (!flow || !user || flow.code_challenge === null || flow.code_challenge_method === null) {
      throw new AuthError(404, 'flow_state_not_found', 'invalid flow state, no valid flow state found')
    }
    if (isExpired(context, flow)) {
      throw new AuthError(422, 'flow_state_expired', 'invalid flow state, flow state has expired')
    }
    checkVerifier({ challenge: flow.code_challenge, method: flow.code_challenge_method }, verifier)
    await endFlow(tx, flow.id)
    await audit(tx, context, user, 'login', { provider_type: flow.provider_type })
    const session = await openSession(tx, context, user, { method: flow.authentication_method, request })
    const { accessToken, refreshToken } = providerTokensOf(context, flow)
    return {
      ...session,
      ...(accessToken === '' ? {} : { provider_token: accessToken }),
      ...(refreshToken === '' ? {} : { provider_refresh_token: refreshToken }),
    }
  })
}
