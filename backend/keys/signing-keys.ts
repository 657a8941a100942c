// The keys that sign and verify tokens: asymmetric keys by id, and the shared secret of older tokens.
import { createPrivateKey, createPublicKey, createSecretKey, type KeyObject } from 'node:crypto'
import { calculateJwkThumbprint, type JWK } from 'jose'

export type Algorithm = 'ES256' | 'RS256' | 'HS256'

/** A key that verifies tokens. */
export interface VerifyKey {
  readonly kid: string | undefined
  readonly algorithm: Algorithm
  readonly key: KeyObject
}

export interface SigningKeys {
  /** Signs new tokens. */
  readonly signer: {
    readonly kid: string | undefined
    readonly algorithm: Algorithm
    readonly key: KeyObject
  }
  /** The key for a token's header; `undefined` if none of our keys can have signed it. */
  find(header: { readonly alg?: unknown; readonly kid?: unknown }): VerifyKey | undefined
  /** The public keys, as published. */
  readonly published: readonly JWK[]
}

const PUBLIC_FIELDS = ['kty', 'crv', 'x', 'y', 'n', 'e'] as const

/**
 * @param jwks keys in the format of config.toml's `signing_keys_path`; the first one that can sign is used to
 * sign.
 * @param secret the shared secret of HS256 tokens.
 */
export async function createSigningKeys(jwks: readonly JWK[], secret: string): Promise<SigningKeys> {
  const shared: VerifyKey = {
    kid: undefined,
    algorithm: 'HS256',
    key: createSecretKey(Buffer.from(secret, 'utf8')),
  }
  const ours = await Promise.all(jwks.map(readKey))
  const signer = ours.find(({ canSign }) => canSign)
  const published = ours.flatMap(({ publicJwk }) => (publicJwk ? [publicJwk] : []))
  return {
    signer: signer ? { kid: signer.kid, algorithm: signer.algorithm, key: signer.signingKey } : shared,
    find({ alg, kid }) {
      const signingKey = ours.find(key => key.kid === kid && key.algorithm === alg)
      return signingKey ?? (alg === shared.algorithm ? shared : undefined)
    },
    published,
  }
}

interface OwnKey extends VerifyKey {
  readonly signingKey: KeyObject
  readonly canSign: boolean
  readonly publicJwk: JWK | undefined
}

async function readKey(jwk: JWK): Promise<OwnKey> {
  const algorithm = algorithmOf(jwk)
  const mayNotSign = jwk.key_ops !== undefined && !jwk.key_ops.includes('sign')
  if (algorithm === 'HS256') {
    const key = createSecretKey(Buffer.from(jwk.k ?? '', 'base64url'))
    if ((key.symmetricKeySize ?? 0) < SHORTEST_BYTES) {
      throw new Error(`A signing key is shorter than ${SHORTEST_BYTES * 8} bits (${jwk.kid}).`)
    }
    return { kid: jwk.kid, algorithm, key, signingKey: key, canSign: !mayNotSign, publicJwk: undefined }
  }
  const kid = jwk.kid ?? (await calculateJwkThumbprint(jwk))
  const fields = Object.fromEntries(
    PUBLIC_FIELDS.flatMap(name => (jwk[name] === undefined ? [] : [[name, jwk[name]]])),
  )
  const key = createPublicKey({ key: fields, format: 'jwk' })
  const signingKey = jwk.d === undefined ? key : createPrivateKey({ key: { ...jwk }, format: 'jwk' })
  const publicJwk: JWK = {
    ...fields,
    kty: String(jwk.kty),
    kid,
    alg: algorithm,
    use: 'sig',
    key_ops: ['verify'],
  }
  return { kid, algorithm, key, signingKey, canSign: jwk.d !== undefined && !mayNotSign, publicJwk }
}

/** Shorter secrets, above all the empty one, are easy to guess. */
const SHORTEST_BYTES = 16

const BY_TYPE = new Map<string, Algorithm>([
  ['EC P-256', 'ES256'],
  ['RSA', 'RS256'],
  ['oct', 'HS256'],
])

function algorithmOf(jwk: JWK): Algorithm {
  const kind = [jwk.kty, jwk.crv].filter(Boolean).join(' ')
  const algorithm = BY_TYPE.get(kind)
  if (algorithm === undefined || (jwk.alg !== undefined && jwk.alg !== algorithm)) {
    throw new Error(`Unsupported signing key (${kind}, ${jwk.alg}). Use ES256, RS256 or HS256.`)
  }
  return algorithm
}
