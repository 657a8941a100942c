// Reads what a browser sends after `navigator.credentials.create()` or `get()`.
import { fieldOf, textOf } from '../../shared/fields.ts'
import { decodeCbor, decodeCborPrefix, isCborMap, type CborMap } from './cbor.ts'

/** The browser's part of a ceremony. */
export interface ClientData {
  readonly type: string
  readonly challenge: string
  readonly origin: string
  /** As signed. */
  readonly bytes: Uint8Array
}

/** The authenticator's part of a ceremony. */
export interface AuthenticatorData {
  readonly rpIdHash: Uint8Array
  readonly isUserPresent: boolean
  readonly isUserVerified: boolean
  readonly isBackupEligible: boolean
  readonly isBackedUp: boolean
  readonly signCount: number
  /** Only of a new credential. */
  readonly attested: AttestedCredential | undefined
  /** As signed. */
  readonly bytes: Uint8Array
}

export interface AttestedCredential {
  readonly aaguid: string
  readonly credentialId: Uint8Array
  /** In COSE format. */
  readonly publicKey: Uint8Array
}

export interface CreationResponse {
  readonly id: Uint8Array
  readonly clientData: ClientData
  readonly authenticator: AuthenticatorData
  readonly format: string
  readonly statement: CborMap
  readonly transports: readonly string[]
}

export interface AssertionResponse {
  readonly id: Uint8Array
  readonly clientData: ClientData
  readonly authenticator: AuthenticatorData
  readonly signature: Uint8Array
  /** Empty if the authenticator sent none. */
  readonly userHandle: Uint8Array
}

/** @throws Error if the response is malformed. */
export function readCreation(credential: unknown): CreationResponse {
  const { id, response } = readEnvelope(credential)
  const attestation = decodeCbor(bytesIn(response, 'attestationObject'))
  if (!isCborMap(attestation)) throw new Error('The attestation must be a map')
  const [format, statement, data] = ['fmt', 'attStmt', 'authData'].map(name => attestation.get(name))
  if (typeof format !== 'string' || !isCborMap(statement) || !(data instanceof Uint8Array))
    throw new Error('The attestation is incomplete')
  const transports = fieldOf(response, 'transports')
  return {
    id,
    clientData: readClientData(response),
    authenticator: readAuthenticatorData(data),
    format,
    statement,
    transports: Array.isArray(transports) ? transports.filter(isTransport).slice(0, MOST_TRANSPORTS) : [],
  }
}

/** @throws Error if the response is malformed. */
export function readAssertion(credential: unknown): AssertionResponse {
  const { id, response } = readEnvelope(credential)
  const handle = fieldOf(response, 'userHandle') ?? ''
  return {
    id,
    clientData: readClientData(response),
    authenticator: readAuthenticatorData(bytesIn(response, 'authenticatorData')),
    signature: bytesIn(response, 'signature'),
    userHandle: handle === '' ? new Uint8Array() : bytesIn(response, 'userHandle'),
  }
}

const MOST_TRANSPORTS = 16
const isTransport = (value: unknown): value is string =>
  typeof value === 'string' && /^[a-z-]{1,32}$/.test(value)

const LARGEST_CREDENTIAL_ID = 1_023

function readEnvelope(credential: unknown): { readonly id: Uint8Array; readonly response: unknown } {
  if (fieldOf(credential, 'type') !== 'public-key') throw new Error('The credential is not a public key')
  const id = bytesIn(credential, 'rawId')
  const rawId = bytesIn(credential, 'id')
  if (id.length === 0 || id.length > LARGEST_CREDENTIAL_ID || Buffer.compare(id, rawId) !== 0)
    throw new Error('The ID of the credential is invalid')
  return { id, response: fieldOf(credential, 'response') }
}

/** A field in base64url, with or without padding. */
function bytesIn(value: unknown, name: string): Uint8Array {
  const text = textOf(value, name)?.replace(/={1,2}$/, '') ?? ''
  if (text === '' || !/^[\w-]+$/.test(text)) throw new Error(`${name} must be in base64url`)
  return new Uint8Array(Buffer.from(text, 'base64url'))
}

function readClientData(response: unknown): ClientData {
  const bytes = bytesIn(response, 'clientDataJSON')
  const data: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  const [type, challenge, origin] = ['type', 'challenge', 'origin'].map(name => textOf(data, name))
  if (type === undefined || challenge === undefined || origin === undefined)
    throw new Error('The client data is incomplete')
  return { type, challenge, origin, bytes }
}

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const BACKUP_ELIGIBLE = 0x08
const BACKED_UP = 0x10
const HAS_CREDENTIAL = 0x40
const HAS_EXTENSIONS = 0x80

/** Hash of the relying party's ID, flags, counter. */
const FIXED_BYTES = 37

function readAuthenticatorData(bytes: Uint8Array): AuthenticatorData {
  if (bytes.length < FIXED_BYTES) throw new Error('The authenticator data is cut off')
  const flags = bytes[32] ?? 0
  let end = FIXED_BYTES
  let attested: AttestedCredential | undefined
  if (flags & HAS_CREDENTIAL) ({ attested, end } = readAttested(bytes))
  if (flags & HAS_EXTENSIONS) end += decodeCborPrefix(bytes.subarray(end)).end
  if (end !== bytes.length) throw new Error('Bytes follow the authenticator data')
  return {
    rpIdHash: bytes.subarray(0, 32),
    isUserPresent: (flags & USER_PRESENT) > 0,
    isUserVerified: (flags & USER_VERIFIED) > 0,
    isBackupEligible: (flags & BACKUP_ELIGIBLE) > 0,
    isBackedUp: (flags & BACKED_UP) > 0,
    signCount: Buffer.from(bytes).readUInt32BE(33),
    attested,
    bytes,
  }
}

function readAttested(bytes: Uint8Array): { readonly attested: AttestedCredential; readonly end: number } {
  const buffer = Buffer.from(bytes)
  const idAt = FIXED_BYTES + 16 + 2
  if (buffer.length < idAt) throw new Error('The credential is cut off')
  const keyAt = idAt + buffer.readUInt16BE(FIXED_BYTES + 16)
  const end = keyAt + decodeCborPrefix(bytes.subarray(keyAt)).end
  const aaguid = buffer
    .toString('hex', FIXED_BYTES, FIXED_BYTES + 16)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return {
    attested: { aaguid, credentialId: bytes.slice(idAt, keyAt), publicKey: bytes.slice(keyAt, end) },
    end,
  }
}
