// Security keys (WebAuthn) as second factors: the first challenge asks for a new credential, later ones for its
// signature.
import type { Queries } from '../../database/index.ts'
import { fieldOf, textOf } from '../../shared/fields.ts'
import { timeOf, type UserRow } from '../accounts/users.ts'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { objectIn, textIn, type Body } from '../requests.ts'
import {
  beginAssertion,
  beginCreation,
  finishAssertion,
  finishCreation,
  type CeremonyData,
  type Credential,
} from '../webauthn/ceremony.ts'
import { readAssertion, readCreation } from '../webauthn/responses.ts'
import { factorsOf, type ChallengeRow, type FactorRow } from './factors.ts'

/** The `webauthn` field of `POST /factors/:id/verify`. */
export interface SecurityKeyAnswer {
  readonly type: 'create' | 'request'
  readonly credential: unknown
}

/** @throws 400 `validation_failed` without a type or a credential. */
export function readSecurityKeyAnswer(body: Body): SecurityKeyAnswer {
  const webauthn = objectIn(body, 'webauthn')
  if (!webauthn) throw securityKeyExpected()
  const type = textIn(webauthn, 'type')
  if (type !== 'create' && type !== 'request') throw invalid('WebAuthn type must be create or request')
  const credential = fieldOf(webauthn, 'credential_response') ?? undefined
  if (credential === undefined) throw invalid('credential_response required')
  return { type, credential }
}

export function securityKeyExpected(): AuthError {
  return invalid('WebAuthn config required')
}

/** Browsers are asked to try these for the keys that must not be registered twice. */
const EXCLUDED_TRANSPORTS = ['usb', 'nfc']

/** Starts a ceremony: `body` is for the browser, `data` for the challenge's row. */
export async function beginCeremony(
  tx: Queries,
  { settings }: AuthContext,
  user: UserRow,
  factor: FactorRow,
): Promise<{ readonly body: Readonly<Record<string, unknown>>; readonly data: CeremonyData }> {
  const credentials = await credentialsOf(tx, user.id)
  const name = user.email ?? ''
  const isNew = factor.status !== 'verified'
  const { options, data } = isNew
    ? beginCreation(settings.webauthn, { id: user.id, name, displayName: name }, credentials, {
        transports: EXCLUDED_TRANSPORTS,
      })
    : beginAssertion(settings.webauthn, { userId: user.id, credentials })
  const body = { type: isNew ? 'create' : 'request', credential_options: { publicKey: options } }
  return { body, data }
}

/** Returns the new credential, `known` if a registered one has signed, or the reason why the answer is refused. */
export async function finishCeremony(
  tx: Queries,
  { settings }: AuthContext,
  factor: FactorRow,
  { web_authn_session_data: data }: ChallengeRow,
  { type, credential }: SecurityKeyAnswer,
): Promise<Credential | 'known' | AuthError> {
  // A challenge for a signature must not register another key.
  if (!data || (type === 'create') !== (factor.status !== 'verified')) return failed(type)
  if (type === 'create') {
    const answer = attempt(() => readCreation(credential))
    if (!answer) return invalid('Invalid credential_response')
    return attempt(() => finishCreation(settings.webauthn, data, answer)) ?? failed(type)
  }
  const answer = attempt(() => readAssertion(credential))
  if (!answer) return invalid('Invalid credential_response')
  const owner = { userId: factor.user_id, credentials: await credentialsOf(tx, factor.user_id) }
  const used = attempt(() => finishAssertion(settings.webauthn, data, owner, answer))
  return used ? 'known' : failed(type)
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** As in the official server, a wrong answer is an internal error. */
function failed(type: SecurityKeyAnswer['type']): AuthError {
  const message =
    type === 'create'
      ? 'Unexpected failure, please check server logs for more information'
      : 'Failed to validate WebAuthn MFA response'
  return new AuthError(500, 'unexpected_failure', message)
}

function invalid(message: string): AuthError {
  return new AuthError(400, 'validation_failed', message)
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const bytesIn = (value: unknown, name: string) =>
  new Uint8Array(Buffer.from(textOf(value, name) ?? '', 'base64'))

/** Stores a credential in the official server's format. */
export async function storeSecurityKey(
  tx: Queries,
  context: AuthContext,
  factor: FactorRow,
  credential: Credential,
): Promise<void> {
  const stored = {
    id: base64(credential.id),
    publicKey: base64(credential.publicKey),
    attestationType: credential.attestationType,
    transport: credential.transports,
    flags: { backupEligible: credential.isBackupEligible, backupState: credential.isBackedUp },
    authenticator: {
      AAGUID: base64(Buffer.from(credential.aaguid.replaceAll('-', ''), 'hex')),
      signCount: credential.signCount,
    },
  }
  await tx.query(
    `update auth.mfa_factors set web_authn_credential = $2, web_authn_aaguid = $3, updated_at = $4 where id = $1`,
    [factor.id, JSON.stringify(stored), credential.aaguid || null, timeOf(context)],
  )
}

async function credentialsOf(tx: Queries, userId: string): Promise<Credential[]> {
  const factors = await factorsOf(tx, userId)
  return factors
    .filter(({ status, factor_type }) => status === 'verified' && factor_type === 'webauthn')
    .map(factor => credentialIn(factor.web_authn_credential))
    .filter(credential => credential !== undefined)
}

function credentialIn(stored: unknown): Credential | undefined {
  if (textOf(stored, 'id') === undefined) return undefined
  const authenticator = fieldOf(stored, 'authenticator')
  const flags = fieldOf(stored, 'flags')
  const transports = fieldOf(stored, 'transport')
  return {
    id: bytesIn(stored, 'id'),
    publicKey: bytesIn(stored, 'publicKey'),
    attestationType: textOf(stored, 'attestationType') ?? '',
    aaguid: '',
    signCount: Number(fieldOf(authenticator, 'signCount') ?? 0),
    transports: Array.isArray(transports) ? transports.filter(name => typeof name === 'string') : [],
    isBackupEligible: fieldOf(flags, 'backupEligible') === true,
    isBackedUp: fieldOf(flags, 'backupState') === true,
  }
}
