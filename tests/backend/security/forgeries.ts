// Tokens that must be rejected: signed by another key, unsigned, expired, or assembled from parts.
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { exportJWK, SignJWT, type JWK } from 'jose'

export interface Signer {
  readonly jwk: JWK
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

/** A key pair like the backend's own. */
export async function createSigner(): Promise<Signer> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { jwk: { ...(await exportJWK(privateKey)), kid: 'test', alg: 'ES256' }, privateKey, publicKey }
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Forged tokens for `victim`, created by an attacker with the token `own`. */
export async function forgeTokens(signer: Signer, victim: string, own: string): Promise<string[]> {
  const claims = { sub: victim, role: 'authenticated', aud: 'authenticated' }
  const sign = (payload: object, alg: string, key: KeyObject | Uint8Array, kid = 'test') =>
    new SignJWT({ ...payload }).setProtectedHeader({ alg, kid, typ: 'JWT' }).sign(key)
  const [head = '', body = '', signature = ''] = own.split('.')
  const later = { ...claims, exp: 4_000_000_000 }
  const other = await createSigner()
  const pem = signer.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const inflated = { ...JSON.parse(Buffer.from(body, 'base64url').toString()), role: 'service_role' }
  return [
    await sign({ ...claims, exp: 1_000 }, 'ES256', signer.privateKey),
    await sign(later, 'ES256', other.privateKey),
    await sign({ ...later, role: 'service_role' }, 'ES256', other.privateKey, 'other'),
    await sign(later, 'HS256', Buffer.from(pem)),
    await sign({ ...later, role: 'service_role' }, 'HS256', Buffer.from('super-secret')),
    `${encode({ alg: 'none', typ: 'JWT' })}.${encode(later)}.`,
    `${encode({ alg: 'NONE' })}.${encode({ ...later, role: 'service_role' })}.${signature}`,
    `${encode({ alg: 'ES256', kid: 'test', jwk: other.jwk })}.${encode(later)}.${signature}`,
    `${head}.${encode({ ...inflated, sub: victim })}.${signature}`,
    `${head}.${encode(inflated)}.${signature}`,
    `${head}.${body}.`,
    `${head}..${signature}`,
    'a.b.c',
    victim,
  ]
}
