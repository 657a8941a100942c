// Public keys of authenticators (COSE, RFC 9053): their algorithms, and the signatures they verify.
import { constants, createPublicKey, verify, type JsonWebKey, type VerifyKeyObjectInput } from 'node:crypto'
import { decodeCbor, isCborMap, type Cbor, type CborMap } from './cbor.ts'

interface Algorithm {
  /** The hash; Ed25519 has its own. */
  readonly hash: string | null
  readonly curve?: string
  readonly isPss?: boolean
}

/** By COSE number, in the order in which the server offers them. */
const ALGORITHMS: ReadonlyMap<number, Algorithm> = new Map([
  [-7, { hash: 'sha256', curve: 'P-256' }],
  [-35, { hash: 'sha384', curve: 'P-384' }],
  [-36, { hash: 'sha512', curve: 'P-521' }],
  [-257, { hash: 'sha256' }],
  [-258, { hash: 'sha384' }],
  [-259, { hash: 'sha512' }],
  [-37, { hash: 'sha256', isPss: true }],
  [-38, { hash: 'sha384', isPss: true }],
  [-39, { hash: 'sha512', isPss: true }],
  [-8, { hash: null, curve: 'Ed25519' }],
])

/** The COSE numbers of the accepted algorithms. */
export const ALGORITHM_NUMBERS: readonly number[] = [...ALGORITHMS.keys()]

export interface CosePublicKey {
  readonly algorithm: number
  /** Whether the signature was made with this key for the data. */
  verifies(data: Uint8Array, signature: Uint8Array): boolean
}

/** @throws Error if it is not the key of an accepted algorithm. */
export function readCoseKey(bytes: Uint8Array): CosePublicKey {
  const fields = decodeCbor(bytes)
  if (!isCborMap(fields)) throw new Error('A COSE key must be a map')
  const number = fields.get(ALG)
  const algorithm = typeof number === 'number' ? ALGORITHMS.get(number) : undefined
  if (typeof number !== 'number' || !algorithm) throw new Error('The algorithm of the key is not accepted')
  const key = createPublicKey({ format: 'jwk', key: jwkOf(fields, algorithm) })
  const input: VerifyKeyObjectInput = {
    key,
    ...(algorithm.isPss
      ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
      : {}),
  }
  return {
    algorithm: number,
    verifies(data, signature) {
      try {
        return verify(algorithm.hash, data, input, signature)
      } catch {
        return false
      }
    },
  }
}

// Labels of COSE key parameters.
const KTY = 1
const ALG = 3
const CRV_OR_N = -1
const X_OR_E = -2
const Y = -3

const EC2 = 2
const RSA = 3
const OKP = 1
const CURVES: ReadonlyMap<Cbor | undefined, string> = new Map<Cbor, string>([
  [1, 'P-256'],
  [2, 'P-384'],
  [3, 'P-521'],
  [6, 'Ed25519'],
])

/** 8192 bits: more would only make verifications slow. */
const LARGEST_MODULUS = 1_024
const LARGEST_EXPONENT = 8

function jwkOf(fields: CborMap, { curve }: Algorithm): JsonWebKey {
  const kty = fields.get(KTY)
  if (curve === undefined) {
    if (kty !== RSA) throw new Error('The key does not fit its algorithm')
    const n = encoded(fields, CRV_OR_N, LARGEST_MODULUS)
    return { kty: 'RSA', n, e: encoded(fields, X_OR_E, LARGEST_EXPONENT) }
  }
  const isEdwards = curve === 'Ed25519'
  if (kty !== (isEdwards ? OKP : EC2) || CURVES.get(fields.get(CRV_OR_N)) !== curve)
    throw new Error('The key does not fit its algorithm')
  const x = encoded(fields, X_OR_E, LARGEST_COORDINATE)
  if (isEdwards) return { kty: 'OKP', crv: curve, x }
  return { kty: 'EC', crv: curve, x, y: encoded(fields, Y, LARGEST_COORDINATE) }
}

const LARGEST_COORDINATE = 66

function encoded(fields: CborMap, label: number, maxBytes: number): string {
  const value = fields.get(label)
  if (value instanceof Uint8Array && value.length <= maxBytes) return Buffer.from(value).toString('base64url')
  throw new Error(`The key lacks the parameter ${label}`)
}
