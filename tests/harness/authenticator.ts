// A security key in software: creates credentials and signs challenges as a browser would return them.
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

type CborItem = number | string | Uint8Array | ReadonlyMap<number | string, CborItem>

/** CBOR of the types that authenticators write. */
function cbor(item: CborItem): Buffer {
  if (typeof item === 'number') return item < 0 ? head(1, -1 - item) : head(0, item)
  if (typeof item === 'string') return Buffer.concat([head(3, Buffer.byteLength(item)), Buffer.from(item)])
  if (item instanceof Uint8Array) return Buffer.concat([head(2, item.length), item])
  const pairs = [...item].flatMap(([key, value]) => [cbor(key), cbor(value)])
  return Buffer.concat([head(5, item.size), ...pairs])
}

function head(major: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(major << 5) | count])
  if (count < 256) return Buffer.from([(major << 5) | 24, count])
  return Buffer.from([(major << 5) | 25, count >> 8, count & 255])
}

const KINDS = {
  ES256: { alg: -7, hash: 'sha256' },
  EdDSA: { alg: -8, hash: null },
  RS256: { alg: -257, hash: 'sha256' },
} as const

export type KeyKind = keyof typeof KINDS

/** What a response may have wrong; nothing by default. */
export interface Flaws {
  readonly origin?: string
  readonly rpId?: string
  readonly type?: string
  readonly challenge?: string
  readonly flags?: number
  readonly userHandle?: string
  readonly signCount?: number
  /** Signs with another key. */
  readonly forged?: boolean
  /** Changes one bit of the signature. */
  readonly damaged?: boolean
  /** An attestation by the credential itself. */
  readonly attestation?: 'self'
}

const PRESENT_AND_VERIFIED = 0x05
const WITH_CREDENTIAL = 0x40

interface CreationOptions {
  readonly challenge: string
  readonly rp: { readonly id?: string | undefined }
  readonly user: { readonly id: string }
}

interface RequestOptions {
  readonly challenge: string
  readonly rpId?: string | undefined
}

/** The credential as `toJSON()` of a browser's has it. */
export interface CredentialJson {
  readonly id: string
  readonly rawId: string
  readonly type: string
  readonly response: Readonly<Record<string, unknown>>
  readonly clientExtensionResults: object
}

export class Authenticator {
  readonly id = randomBytes(24)
  readonly #origin: string
  readonly #kind: KeyKind
  readonly #keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject }
  #userHandle = ''
  #signCount = 0

  constructor(origin: string, kind: KeyKind = 'ES256') {
    this.#origin = origin
    this.#kind = kind
    this.#keys = createKeys(kind)
  }

  /** Answers `navigator.credentials.create()`. */
  create(options: CreationOptions, flaws: Flaws = {}): CredentialJson {
    this.#userHandle = options.user.id
    const length = Buffer.from([this.id.length >> 8, this.id.length & 255])
    const authData = Buffer.concat([
      this.#fixed(
        flaws.rpId ?? options.rp.id ?? '',
        (flaws.flags ?? PRESENT_AND_VERIFIED) | WITH_CREDENTIAL,
        0,
      ),
      Buffer.alloc(16),
      length,
      this.id,
      cbor(coseKey(this.#kind, this.#keys.publicKey)),
    ])
    const clientData = this.#clientData('webauthn.create', options.challenge, flaws)
    const statement = new Map<string, CborItem>()
    if (flaws.attestation === 'self') {
      statement.set('alg', KINDS[this.#kind].alg)
      statement.set('sig', this.#sign(authData, clientData, flaws))
    }
    const format = flaws.attestation === 'self' ? 'packed' : 'none'
    const attestation = new Map<string, CborItem>([
      ['fmt', format],
      ['attStmt', statement],
      ['authData', authData],
    ])
    return this.#credential({
      attestationObject: cbor(attestation).toString('base64url'),
      clientDataJSON: clientData.toString('base64url'),
      transports: ['usb'],
    })
  }

  /** Answers `navigator.credentials.get()`. */
  get(options: RequestOptions, flaws: Flaws = {}): CredentialJson {
    this.#signCount = flaws.signCount ?? this.#signCount + 1
    const flags = flaws.flags ?? PRESENT_AND_VERIFIED
    const authData = this.#fixed(flaws.rpId ?? options.rpId ?? '', flags, this.#signCount)
    const clientData = this.#clientData('webauthn.get', options.challenge, flaws)
    const handle =
      flaws.userHandle === undefined ? this.#userHandle : Buffer.from(flaws.userHandle).toString('base64url')
    return this.#credential({
      authenticatorData: authData.toString('base64url'),
      clientDataJSON: clientData.toString('base64url'),
      signature: this.#sign(authData, clientData, flaws).toString('base64url'),
      userHandle: handle,
    })
  }

  #credential(response: Readonly<Record<string, unknown>>): CredentialJson {
    const id = this.id.toString('base64url')
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} }
  }

  #fixed(rpId: string, flags: number, signCount: number): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(signCount)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), count])
  }

  #clientData(type: string, challenge: string, flaws: Flaws): Buffer {
    const origin = flaws.origin ?? this.#origin
    return Buffer.from(
      JSON.stringify({ type: flaws.type ?? type, challenge: flaws.challenge ?? challenge, origin }),
    )
  }

  #sign(authData: Buffer, clientData: Buffer, { forged, damaged }: Flaws): Buffer {
    const { privateKey } = forged ? createKeys(this.#kind) : this.#keys
    const data = Buffer.concat([authData, createHash('sha256').update(clientData).digest()])
    const signature = sign(KINDS[this.#kind].hash, data, privateKey)
    if (damaged) signature.writeUInt8(signature.readUInt8(signature.length - 1) ^ 1, signature.length - 1)
    return signature
  }
}

function createKeys(kind: KeyKind) {
  if (kind === 'EdDSA') return generateKeyPairSync('ed25519')
  if (kind === 'RS256') return generateKeyPairSync('rsa', { modulusLength: 2048 })
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

function coseKey(kind: KeyKind, key: KeyObject): Map<number, CborItem> {
  const jwk = key.export({ format: 'jwk' })
  const bytes = (text = '') => Buffer.from(text, 'base64url')
  const { alg } = KINDS[kind]
  if (kind === 'RS256')
    return new Map<number, CborItem>([
      [1, 3],
      [3, alg],
      [-1, bytes(jwk.n)],
      [-2, bytes(jwk.e)],
    ])
  if (kind === 'EdDSA')
    return new Map<number, CborItem>([
      [1, 1],
      [3, alg],
      [-1, 6],
      [-2, bytes(jwk.x)],
    ])
  return new Map<number, CborItem>([
    [1, 2],
    [3, alg],
    [-1, 1],
    [-2, bytes(jwk.x)],
    [-3, bytes(jwk.y)],
  ])
}
