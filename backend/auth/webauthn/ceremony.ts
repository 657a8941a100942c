// The two ceremonies of WebAuthn, for passkeys and security keys: their options, and the checks of the responses.
import { createHash, randomBytes } from 'node:crypto'
import type { WebauthnSettings } from '../settings.ts'
import { ALGORITHM_NUMBERS, readCoseKey } from './cose-key.ts'
import type { AssertionResponse, AuthenticatorData, ClientData, CreationResponse } from './responses.ts'

/** A stored credential. */
export interface Credential {
  readonly id: Uint8Array
  /** In COSE format. */
  readonly publicKey: Uint8Array
  readonly attestationType: string
  readonly aaguid: string
  readonly signCount: number
  readonly transports: readonly string[]
  readonly isBackupEligible: boolean
  readonly isBackedUp: boolean
}

export interface WebauthnUser {
  readonly id: string
  readonly name: string
  readonly displayName: string
}

/** What the server stores of a challenge, in the official server's format. */
export interface CeremonyData {
  readonly challenge: string
  readonly rpId: string
  /** The user's ID in base64; absent while the user is unknown. */
  readonly user_id?: string
  /** In base64; any credential of the user if absent. */
  readonly allowed_credentials?: readonly string[]
}

interface Ceremony {
  /** For the browser. */
  readonly options: Readonly<Record<string, unknown>>
  readonly data: CeremonyData
}

const CHALLENGE_BYTES = 32
const TIMEOUT_MS = 300_000

const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64')
const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url')

/** @param selection which authenticators may be used; any by default */
export function beginCreation(
  settings: WebauthnSettings,
  user: WebauthnUser,
  existing: readonly Pick<Credential, 'id'>[],
  { selection, transports }: { readonly selection?: object; readonly transports?: readonly string[] } = {},
): Ceremony {
  const challenge = base64url(randomBytes(CHALLENGE_BYTES))
  const excluded = existing.map(({ id }) => ({
    type: 'public-key',
    id: base64url(id),
    ...(transports ? { transports } : {}),
  }))
  return {
    options: {
      rp: { name: settings.rpDisplayName, id: settings.rpId },
      user: { name: user.name, displayName: user.displayName, id: base64url(user.id) },
      challenge,
      pubKeyCredParams: ALGORITHM_NUMBERS.map(alg => ({ type: 'public-key', alg })),
      timeout: TIMEOUT_MS,
      ...(excluded.length > 0 ? { excludeCredentials: excluded } : {}),
      authenticatorSelection: selection ?? {},
      ...(selection ? { attestation: 'none' } : {}),
    },
    data: { challenge, rpId: settings.rpId, user_id: base64(user.id) },
  }
}

/** Without allowed credentials, the authenticator offers those that it knows for the relying party. */
export function beginAssertion(
  settings: WebauthnSettings,
  allowed: { readonly userId: string; readonly credentials: readonly Credential[] } | undefined,
): Ceremony {
  const challenge = base64url(randomBytes(CHALLENGE_BYTES))
  const common = { challenge, timeout: TIMEOUT_MS, rpId: settings.rpId }
  const data = { challenge, rpId: settings.rpId }
  if (!allowed) return { options: { ...common, userVerification: 'preferred' }, data }
  return {
    options: {
      ...common,
      allowCredentials: allowed.credentials.map(({ id, transports }) => ({
        type: 'public-key',
        id: base64url(id),
        ...(transports.length > 0 ? { transports } : {}),
      })),
    },
    data: {
      ...data,
      user_id: base64(allowed.userId),
      allowed_credentials: allowed.credentials.map(({ id }) => base64(id)),
    },
  }
}

/** Returns the new credential. @throws Error if a check fails */
export function finishCreation(
  settings: WebauthnSettings,
  data: CeremonyData,
  { id, clientData, authenticator, format, statement, transports }: CreationResponse,
): Credential {
  requireClientData(settings, data, clientData, 'webauthn.create')
  requireAuthenticator(data, authenticator)
  const { attested } = authenticator
  if (!attested) throw new Error('The authenticator returned no credential')
  if (Buffer.compare(attested.credentialId, id) !== 0) throw new Error('The IDs of the credential differ')
  const key = readCoseKey(attested.publicKey)
  if (format === 'none') {
    if (statement.size > 0) throw new Error('An attestation of the format none must be empty')
  } else {
    // Nothing else was requested, so browsers remove attestations except those by the credential itself.
    const signature = statement.get('sig')
    const isSelf = format === 'packed' && !statement.has('x5c') && statement.get('alg') === key.algorithm
    if (!isSelf || !(signature instanceof Uint8Array)) throw new Error('The attestation is not supported')
    if (!key.verifies(signedBy(authenticator, clientData), signature))
      throw new Error('The signature of the attestation is wrong')
  }
  return {
    id,
    publicKey: attested.publicKey,
    attestationType: format,
    aaguid: attested.aaguid,
    signCount: authenticator.signCount,
    transports,
    isBackupEligible: authenticator.isBackupEligible,
    isBackedUp: authenticator.isBackedUp,
  }
}

/**
 * Returns the credential with its new counter and backup state. A counter that did not grow is kept and accepted, as
 * in the official server: synchronized passkeys have none.
 * @throws Error if a check fails
 */
export function finishAssertion(
  settings: WebauthnSettings,
  data: CeremonyData,
  owner: { readonly userId: string; readonly credentials: readonly Credential[] },
  { id, clientData, authenticator, signature, userHandle }: AssertionResponse,
): Credential {
  const credential = owner.credentials.find(candidate => Buffer.compare(candidate.id, id) === 0)
  if (!credential) throw new Error('The user has no such credential')
  if (data.allowed_credentials && !data.allowed_credentials.includes(base64(id)))
    throw new Error('The credential is not one of those requested')
  if (data.user_id !== undefined && data.user_id !== base64(owner.userId))
    throw new Error('The challenge belongs to another user')
  if (userHandle.length > 0 && Buffer.compare(userHandle, Buffer.from(owner.userId)) !== 0)
    throw new Error('The credential belongs to another user')
  requireClientData(settings, data, clientData, 'webauthn.get')
  requireAuthenticator(data, authenticator)
  if (!readCoseKey(credential.publicKey).verifies(signedBy(authenticator, clientData), signature))
    throw new Error('The signature is wrong')
  if (authenticator.isBackupEligible !== credential.isBackupEligible)
    throw new Error('Whether the credential can be backed up has changed')
  return {
    ...credential,
    signCount: Math.max(credential.signCount, authenticator.signCount),
    isBackedUp: authenticator.isBackedUp,
  }
}

function requireClientData(
  { rpOrigins }: WebauthnSettings,
  { challenge }: CeremonyData,
  data: ClientData,
  type: string,
): void {
  if (data.type !== type) throw new Error(`The client data is not of the type ${type}`)
  if (data.challenge !== challenge) throw new Error('The challenge is another one')
  const origin = originOf(data.origin)
  if (origin === undefined || !rpOrigins.some(allowed => originOf(allowed) === origin))
    throw new Error(`The origin ${data.origin} is not one of the relying party`)
}

/** Origins of native apps, such as `android:apk-key-hash:…`, have no host and are compared as they are. */
function originOf(origin: string): string | undefined {
  const url = URL.parse(origin)
  if (!url) return undefined
  return url.host === '' ? origin : `${url.protocol}//${url.host}`.toLowerCase()
}

/** @throws Error for another relying party, an absent user, or impossible flags */
function requireAuthenticator({ rpId }: CeremonyData, data: AuthenticatorData): void {
  const expected = createHash('sha256').update(rpId).digest()
  if (Buffer.compare(data.rpIdHash, expected) !== 0) throw new Error('The relying party is another one')
  if (!data.isUserPresent) throw new Error('The user was not present')
  if (data.isBackedUp && !data.isBackupEligible)
    throw new Error('The credential is backed up but cannot be backed up')
}

function signedBy(authenticator: AuthenticatorData, clientData: ClientData): Uint8Array {
  return Buffer.concat([authenticator.bytes, createHash('sha256').update(clientData.bytes).digest()])
}
