// The ID token grant: exchanges a token that the provider gave the app for a session.
import { createHash, timingSafeEqual } from 'node:crypto'
import { decodeJwt, type JWTPayload } from 'jose'
import { textOf } from '../../shared/fields.ts'
import { requireCaller } from '../sessions/caller.ts'
import type { AuthContext } from '../context.ts'
import { AuthError, OAuthError } from '../errors.ts'
import { accountFor, linkIdentity } from '../identities/external.ts'
import { flagIn, textIn, type Body } from '../requests.ts'
import { openSession } from '../sessions/sessions.ts'
import { isEnabled } from './authorize.ts'
import { externalIdentity } from './callback.ts'
import { CLIENT_ID, isProviderName, takesIdTokens, type ProviderName } from './providers.ts'
import { accessTokenHash, type StandIn } from './stand-in.ts'

/** Handles `grant_type=id_token`. */
export function createIdTokenGrant(standIn: StandIn) {
  return async (context: AuthContext, request: Request, body: Body): Promise<Response> => {
    const tokenRequest = readRequest(body)
    const target = tokenRequest.isLink ? await requireTarget(context, request) : undefined
    const provider = chooseProvider(context, standIn, tokenRequest)
    const claims = await readIdToken(standIn, provider, tokenRequest)
    checkAudience(claims)
    checkNonce(claims, tokenRequest.nonce)
    const identity = externalIdentity(standIn, provider, {
      email: textOf(claims, 'email') ?? '',
      name: textOf(claims, 'name') ?? '',
      emailVerified: claims['email_verified'] === true,
    })
    const outcome = await context.database.owner(async tx => {
      const signIn = target
        ? await linkIdentity(tx, context, identity, target, request)
        : await accountFor(tx, context, identity, request)
      if ('refusal' in signIn) return signIn
      return { session: await openSession(tx, context, signIn.user, { method: 'oauth', request }) }
    })
    if ('refusal' in outcome) throw outcome.refusal
    return Response.json(outcome.session)
  }
}

interface IdTokenRequest {
  readonly idToken: string
  readonly accessToken: string
  readonly nonce: string
  readonly provider: string
  readonly issuer: string
  readonly isLink: boolean
}

/** @throws `invalid request` without a token, or without a provider or an issuer and client id. */
function readRequest(body: Body): IdTokenRequest {
  const text = (name: string) => textIn(body, name)
  const [provider, issuer, clientId] = [text('provider'), text('issuer'), text('client_id')]
  if (text('id_token') === '') throw new OAuthError('invalid request', 'id_token required')
  if (provider === '' && (clientId === '' || issuer === '')) {
    throw new OAuthError('invalid request', 'provider or client_id and issuer required')
  }
  return {
    idToken: text('id_token'),
    accessToken: text('access_token'),
    nonce: text('nonce'),
    provider,
    issuer,
    isLink: flagIn(body, 'link_identity'),
  }
}

async function requireTarget(context: AuthContext, request: Request) {
  if (!request.headers.has('authorization')) {
    throw new OAuthError('invalid request', 'Linking requires a valid user access token in Authorization')
  }
  return (await context.database.owner(tx => requireCaller(tx, context, request))).user
}

const DETECTS_ISSUER: Partial<Record<ProviderName, string>> = { apple: 'Apple', azure: 'Azure' }

function chooseProvider(
  context: AuthContext,
  standIn: StandIn,
  { provider, issuer, idToken }: IdTokenRequest,
): ProviderName {
  if (provider.startsWith('custom:')) throw invalid('Custom OAuth providers are disabled')
  const providerName = isProviderName(provider) ? provider : providerOfIssuer(standIn, issuer)
  if (providerName === undefined || !takesIdTokens(providerName)) {
    throw invalid(`Custom OIDC provider ${JSON.stringify(provider)} not allowed`)
  }
  const title = DETECTS_ISSUER[providerName]
  if (title !== undefined) {
    const detected = issuerOf(idToken)
    if (detected === undefined) throw invalid(`Unable to detect issuer in ID token for ${title} provider`)
    if (detected !== standIn.issuer(providerName)) {
      throw invalid(`Detected ID token issuer is not an ${title} ID token issuer`)
    }
    if (issuer !== '' && issuer !== detected) {
      throw invalid('Provided issuer does not match ID token issuer')
    }
  }
  if (isEnabled(context, providerName)) return providerName
  throw new AuthError(
    400,
    'provider_disabled',
    `Provider (issuer ${JSON.stringify(standIn.issuer(providerName))}) is not enabled`,
  )
}

function providerOfIssuer(standIn: StandIn, issuer: string): ProviderName | undefined {
  const name = issuer.split('/').at(-1) ?? ''
  return isProviderName(name) && standIn.issuer(name) === issuer ? name : undefined
}

function issuerOf(idToken: string): string | undefined {
  try {
    return decodeJwt(idToken).iss
  } catch {
    return undefined
  }
}

/** @throws `invalid request` for a token of another issuer, or one that does not match the access token. */
async function readIdToken(
  standIn: StandIn,
  provider: ProviderName,
  { idToken, accessToken }: IdTokenRequest,
): Promise<JWTPayload> {
  const claims = await standIn.verifyIdToken(provider, idToken).catch(() => undefined)
  if (!claims || (accessToken !== '' && claims['at_hash'] !== accessTokenHash(accessToken))) {
    throw new OAuthError('invalid request', 'Bad ID token')
  }
  return claims
}

function checkAudience({ aud = [] }: JWTPayload): void {
  const audience = [aud].flat()
  if (audience.includes(CLIENT_ID)) return
  throw new OAuthError('invalid request', `Unacceptable audience in id_token: [${audience.join(' ')}]`)
}

function checkNonce(claims: JWTPayload, nonce: string): void {
  const inToken = typeof claims['nonce'] === 'string' ? claims['nonce'] : ''
  if ((inToken === '') !== (nonce === '')) {
    throw new OAuthError(
      'invalid request',
      'Passed nonce and nonce in id_token should either both exist or not.',
    )
  }
  if (nonce === '') return
  const hashed = Buffer.from(createHash('sha256').update(nonce).digest('hex'))
  const nonceBytes = Buffer.from(inToken)
  if (nonceBytes.length === hashed.length && timingSafeEqual(nonceBytes, hashed)) return
  throw new OAuthError('invalid nonce', 'Nonces mismatch')
}

function invalid(message: string): AuthError {
  return new AuthError(400, 'validation_failed', message)
}
