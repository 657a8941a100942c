// Who is calling: API keys and access tokens turned into claims, and tokens signed and checked.
import { errors, jwtVerify, SignJWT, type JWTPayload } from 'jose'
import type { Secrets } from './data-directory.ts'

/** What row-level security sees of a caller. */
export interface Claims extends JWTPayload {
  readonly role: string
}

/** Why a caller is turned away, in words fit for an error body. */
export type Refusal = 'noKey' | 'wrongKey' | 'secretInBrowser' | 'tokenExpired' | 'tokenInvalid'

export type Identified = { readonly claims: Claims } | { readonly refusal: Refusal }

export interface Tokens {
  /** Checks the `apikey` of a request; `undefined` when it may pass. */
  refuseKey(apikey: string | undefined, userAgent: string | undefined): Refusal | undefined
  /** Claims of a bearer (an access token or an API key), or of the API key when there is none. */
  identify(apikey: string | undefined, bearer: string | undefined): Promise<Identified>
  sign(claims: JWTPayload): Promise<string>
  /** The payload of a token signed here; throws jose's errors otherwise. */
  verify(token: string): Promise<JWTPayload>
}

export function createTokens(secrets: Secrets): Tokens {
  const key = new TextEncoder().encode(secrets.jwtSecret)
  const keyRoles = new Map([
    [secrets.publishableKey, 'anon'],
    [secrets.secretKey, 'service_role'],
  ])
  const verify = async (token: string) => (await jwtVerify(token, key, { algorithms: ['HS256'] })).payload
  return {
    refuseKey(apikey, userAgent) {
      if (!apikey) return 'noKey'
      const role = keyRoles.get(apikey)
      if (role === undefined) return 'wrongKey'
      return role === 'service_role' && /^\s*mozilla\/5\.0/i.test(userAgent ?? '')
        ? 'secretInBrowser'
        : undefined
    },
    async identify(apikey, bearer) {
      const role =
        keyRoles.get(bearer ?? '') ??
        (bearer?.startsWith('sb_') === false ? undefined : keyRoles.get(apikey ?? ''))
      if (role !== undefined) return { claims: { role } }
      if (!bearer) return { refusal: 'noKey' }
      try {
        const payload = await verify(bearer)
        return { claims: { ...payload, role: typeof payload.role === 'string' ? payload.role : 'anon' } }
      } catch (error) {
        return { refusal: error instanceof errors.JWTExpired ? 'tokenExpired' : 'tokenInvalid' }
      }
    },
    sign: claims => new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(key),
    verify,
  }
}

/** The token of an `Authorization: Bearer …` header. */
export function bearerOf(headers: Headers): string | undefined {
  return headers.get('authorization')?.match(/^Bearer\s+(\S+)$/i)?.[1]
}
