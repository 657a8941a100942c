// Passkeys and their challenges: rows of auth.webauthn_credentials and auth.webauthn_challenges.
import { randomUUID } from 'node:crypto'
import type { Queries } from '../../database/index.ts'
import { timeOf } from '../accounts/users.ts'
import type { AuthContext } from '../context.ts'
import { iso } from '../times.ts'
import type { CeremonyData, Credential } from '../webauthn/ceremony.ts'

export interface Passkey extends Credential {
  readonly rowId: string
  readonly friendlyName: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
}

interface PasskeyRow {
  readonly id: string
  readonly credential_id: string
  readonly public_key: string
  readonly attestation_type: string
  readonly aaguid: string | null
  readonly sign_count: number
  readonly transports: readonly string[]
  readonly backup_eligible: boolean
  readonly backed_up: boolean
  readonly friendly_name: string
  readonly created_at: string
  readonly last_used_at: string | null
}

/** The drivers of the engines return bytes in different types. */
const COLUMNS = `id, encode(credential_id, 'hex') as credential_id, encode(public_key, 'hex') as public_key,
  attestation_type, aaguid::text, sign_count::float8, transports, backup_eligible, backed_up, friendly_name,
  created_at, last_used_at`

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))

/** The passkeys of a user, oldest first. */
export async function passkeysOf(tx: Queries, userId: string): Promise<Passkey[]> {
  const rows = await tx.query<PasskeyRow>(
    `select ${COLUMNS} from auth.webauthn_credentials where user_id = $1 order by created_at, id`,
    [userId],
  )
  return rows.map(row => ({
    rowId: row.id,
    friendlyName: row.friendly_name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    id: bytesOf(row.credential_id),
    publicKey: bytesOf(row.public_key),
    attestationType: row.attestation_type,
    aaguid: row.aaguid ?? '',
    signCount: row.sign_count,
    transports: row.transports,
    isBackupEligible: row.backup_eligible,
    isBackedUp: row.backed_up,
  }))
}

/** Returns the new row's ID, or `undefined` if the credential is registered already. */
export async function addPasskey(
  tx: Queries,
  context: AuthContext,
  userId: string,
  credential: Credential,
  friendlyName: string,
): Promise<string | undefined> {
  const [row] = await tx.query<{ id: string }>(
    `insert into auth.webauthn_credentials (id, user_id, credential_id, public_key, attestation_type, aaguid,
       sign_count, transports, backup_eligible, backed_up, friendly_name, created_at, updated_at)
     values ($1, $2, decode($3, 'hex'), decode($4, 'hex'), $5, $6, $7, $8, $9, $10, $11, $12, $12)
     on conflict (credential_id) do nothing returning id`,
    [
      randomUUID(),
      userId,
      hex(credential.id),
      hex(credential.publicKey),
      credential.attestationType,
      credential.aaguid,
      credential.signCount,
      JSON.stringify(credential.transports),
      credential.isBackupEligible,
      credential.isBackedUp,
      friendlyName,
      timeOf(context),
    ],
  )
  return row?.id
}

/** Records a sign-in. Returns whether the passkey still exists. */
export async function notePasskeyUse(
  tx: Queries,
  context: AuthContext,
  rowId: string,
  { signCount }: Credential,
): Promise<boolean> {
  const rows = await tx.query(
    `update auth.webauthn_credentials set sign_count = greatest(sign_count, $2), last_used_at = $3, updated_at = $3
     where id = $1 returning id`,
    [rowId, signCount, timeOf(context)],
  )
  return rows.length > 0
}

export async function renamePasskey(
  tx: Queries,
  context: AuthContext,
  rowId: string,
  name: string,
): Promise<void> {
  await tx.query('update auth.webauthn_credentials set friendly_name = $2, updated_at = $3 where id = $1', [
    rowId,
    name,
    timeOf(context),
  ])
}

export async function removePasskey(tx: Queries, rowId: string): Promise<void> {
  await tx.query('delete from auth.webauthn_credentials where id = $1', [rowId])
}

/** A passkey as the API lists it. */
export function describePasskey(passkey: Passkey): Record<string, unknown> {
  return {
    id: passkey.rowId,
    ...(passkey.friendlyName ? { friendly_name: passkey.friendlyName } : {}),
    created_at: iso(passkey.createdAt),
    ...(passkey.lastUsedAt ? { last_used_at: iso(passkey.lastUsedAt) } : {}),
  }
}

export type ChallengeType = 'registration' | 'authentication'

const CHALLENGE_LIFE_MS = 300_000

/** Returns the challenge's ID, and when it expires in seconds since 1970. */
export async function addPasskeyChallenge(
  tx: Queries,
  { clock }: AuthContext,
  type: ChallengeType,
  userId: string | null,
  data: CeremonyData,
): Promise<{ readonly id: string; readonly expiresAt: number }> {
  const id = randomUUID()
  const expires = clock.now() + CHALLENGE_LIFE_MS
  await tx.query(
    `insert into auth.webauthn_challenges (id, user_id, challenge_type, session_data, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      id,
      userId,
      type,
      JSON.stringify(data),
      new Date(clock.now()).toISOString(),
      new Date(expires).toISOString(),
    ],
  )
  return { id, expiresAt: Math.floor(expires / 1000) }
}

/** Deletes a challenge and returns it, so that it is answered at most once. */
export async function takePasskeyChallenge(
  tx: Queries,
  { clock }: AuthContext,
  type: ChallengeType,
  userId: string | null,
  id: string,
): Promise<{ readonly data: CeremonyData; readonly isExpired: boolean } | undefined> {
  const [row] = await tx.query<{ session_data: CeremonyData; expires_ms: number }>(
    `delete from auth.webauthn_challenges where id = $1 and challenge_type = $2 and user_id is not distinct from $3
     returning session_data, (extract(epoch from expires_at) * 1000)::float8 as expires_ms`,
    [id, type, userId],
  )
  return row && { data: row.session_data, isExpired: clock.now() > row.expires_ms }
}
