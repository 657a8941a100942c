// The simulated social providers: one-time codes, tokens and signing keys.
import { createHash, randomBytes } from 'node:crypto'
import { exportJWK, generateKeyPair, jwtVerify, SignJWT, type JWK, type JWTPayload } from 'jose'
import type { Clock } from '../../shared/clock.ts'
import { subjectOf, type Profile } from './profile.ts'
import { CLIENT_ID, type ProviderName } from './providers.ts'

/** Result of redeeming a code. */
export interface Grant {
  readonly profile: Profile
  readonly accessToken: string
  readonly refreshToken: string
}

/** An ID token and the access token that its `at_hash` refers to. */
export interface IdTokenGrant {
  readonly idToken: string
  readonly accessToken: string
  readonly expiresIn: number
}

export interface StandIn {
  issuer(provider: ProviderName): string
  /** Issues a code for the approved user; valid once, for one minute. */
  issueCode(provider: ProviderName, profile: Profile): string
  /** `undefined` for a code that is unknown, used, expired or from another provider. */
  redeem(provider: ProviderName, code: string): Grant | undefined
  issueIdToken(provider: ProviderName, profile: Profile, nonce: string | undefined): Promise<IdTokenGrant>
  /** Returns the claims of an ID token of the provider; rejects for any other token. */
  verifyIdToken(provider: ProviderName, idToken: string): Promise<JWTPayload>
  /** The public keys, as published at `jwks_uri`. */
  keys(): Promise<{ readonly keys: readonly JWK[] }>
}

const CODE_LIFE_MS = 60_000
const CODES_KEPT = 1_000
const ID_TOKEN_SECONDS = 3_600
const ALGORITHM = 'ES256'

interface IssuedCode {
  readonly provider: ProviderName
  readonly profile: Profile
  readonly expiresAt: number
}

/** @param url origin of the backend, which serves the provider's pages. */
export function createStandIn(url: string, clock: Clock): StandIn {
  let pair: ReturnType<typeof createKeys> | undefined
  const keys = () => (pair ??= createKeys())
  const issuer = (provider: ProviderName) => `${url}/_chartroom/oauth/${provider}`
  return {
    issuer,
    ...createCodes(clock),
    async issueIdToken(provider, profile, nonce) {
      const { privateKey, jwk } = await keys()
      const accessToken = randomToken()
      const issuedAt = Math.floor(clock.now() / 1000)
      const idToken = await new SignJWT({ ...describe(profile, accessToken), ...(nonce ? { nonce } : {}) })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: jwk.kid ?? '' })
        .setIssuer(issuer(provider))
        .setSubject(subjectOf(provider, profile.email))
        .setAudience(CLIENT_ID)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + ID_TOKEN_SECONDS)
        .sign(privateKey)
      return { idToken, accessToken, expiresIn: ID_TOKEN_SECONDS }
    },
    async verifyIdToken(provider, idToken) {
      const options = {
        issuer: issuer(provider),
        algorithms: [ALGORITHM],
        currentDate: new Date(clock.now()),
      }
      return (await jwtVerify(idToken, (await keys()).publicKey, options)).payload
    },
    keys: async () => ({ keys: [(await keys()).jwk] }),
  }
}

function createCodes(clock: Clock): Pick<StandIn, 'issueCode' | 'redeem'> {
  const codes = new Map<string, IssuedCode>()
  return {
    issueCode(provider, profile) {
      const code = randomToken()
      codes.set(digest(code), { provider, profile, expiresAt: clock.now() + CODE_LIFE_MS })
      const oldest = codes.keys().next().value
      if (codes.size > CODES_KEPT && oldest !== undefined) codes.delete(oldest)
      return code
    },
    redeem(provider, code) {
      const issued = codes.get(digest(code))
      codes.delete(digest(code))
      if (issued?.provider !== provider || issued.expiresAt <= clock.now()) return undefined
      return { profile: issued.profile, accessToken: randomToken(), refreshToken: randomToken() }
    },
  }
}

async function createKeys() {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM)
  const kid = randomBytes(8).toString('hex')
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid, alg: ALGORITHM, use: 'sig' }
  return { publicKey, privateKey, jwk }
}

function describe({ email, emailVerified, name }: Profile, accessToken: string): JWTPayload {
  return {
    email,
    email_verified: emailVerified,
    ...(name === '' ? {} : { name }),
    at_hash: accessTokenHash(accessToken),
  }
}

/** The `at_hash` of an access token: OpenID Connect's half hash that binds it to an ID token. */
export function accessTokenHash(accessToken: string): string {
  return createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url')
}

function digest(code: string): string {
  return createHash('sha256').update(code).digest('base64url')
}

function randomToken(): string {
  return randomBytes(24).toString('base64url')
}
