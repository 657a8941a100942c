// Factors and challenges: rows of auth.mfa_factors and auth.mfa_challenges.
import { randomUUID } from 'node:crypto'
import type { Queries } from '../../database/index.ts'
import type { AuthContext } from '../context.ts'
import { timeOf } from '../accounts/users.ts'
import type { CeremonyData } from '../webauthn/ceremony.ts'
import { DESCRIBED_COLUMNS, type DescribedFactor } from './factor-body.ts'

/** A row of auth.mfa_factors; the secret is encrypted. */
export interface FactorRow extends DescribedFactor {
  readonly secret: string | null
  /** The security key of a verified WebAuthn factor. */
  readonly web_authn_credential: unknown
}

export interface ChallengeRow {
  readonly id: string
  readonly created_at: string
  readonly verified_at: string | null
  readonly is_from_address: boolean
  /** Only of WebAuthn factors. */
  readonly web_authn_session_data: CeremonyData | null
}

/** How long an unverified factor without a challenge is kept. */
const FACTOR_LIFE_MS = 300_000

export function factorsOf(tx: Queries, userId: string): Promise<FactorRow[]> {
  return tx.query<FactorRow>(
    `select ${DESCRIBED_COLUMNS}, secret, web_authn_credential from auth.mfa_factors where user_id = $1 order by created_at, id`,
    [userId],
  )
}

/** Deletes abandoned enrollments. */
export async function dropExpiredFactors(tx: Queries, { clock }: AuthContext): Promise<void> {
  await tx.query(
    `delete from auth.mfa_factors f where f.status <> 'verified' and f.created_at < $1
     and not exists (select from auth.mfa_challenges c where c.factor_id = f.id)`,
    [new Date(clock.now() - FACTOR_LIFE_MS).toISOString()],
  )
}

export interface NewFactor {
  readonly id: string
  readonly userId: string
  readonly friendlyName: string
  readonly factorType: 'totp' | 'webauthn'
  /** Only of an authenticator app. */
  readonly sealedSecret?: string
}

export async function addFactor(tx: Queries, context: AuthContext, factor: NewFactor): Promise<void> {
  await tx.query(
    `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at, secret)
     values ($1, $2, $3, $6::auth.factor_type, 'unverified', $4, $4, $5)`,
    [
      factor.id,
      factor.userId,
      factor.friendlyName,
      timeOf(context),
      factor.sealedSecret ?? null,
      factor.factorType,
    ],
  )
}

export async function renameFactor(
  tx: Queries,
  context: AuthContext,
  id: string,
  name: string,
): Promise<void> {
  await tx.query('update auth.mfa_factors set friendly_name = $2, updated_at = $3 where id = $1', [
    id,
    name,
    timeOf(context),
  ])
}

/** Marks a factor as verified, and deletes unverified factors of the same type. */
export async function verifyFactor(tx: Queries, context: AuthContext, factor: FactorRow): Promise<void> {
  if (factor.status !== 'verified') {
    await tx.query(`update auth.mfa_factors set status = 'verified', updated_at = $2 where id = $1`, [
      factor.id,
      timeOf(context),
    ])
  }
  await tx.query(
    `delete from auth.mfa_factors where user_id = $1 and status = 'unverified' and factor_type::text = $2`,
    [factor.user_id, factor.factor_type],
  )
}

/** The method of a session that a factor has raised. */
export function methodOf({ factor_type }: FactorRow): 'totp' | 'mfa/webauthn' {
  return factor_type === 'webauthn' ? 'mfa/webauthn' : 'totp'
}

/** Deletes a factor; sessions that it had raised return to aal1. */
export async function removeFactor(tx: Queries, factor: FactorRow): Promise<void> {
  await tx.query('delete from auth.mfa_factors where id = $1', [factor.id])
  await tx.query(
    `delete from auth.mfa_amr_claims where authentication_method = $2
     and session_id in (select id from auth.sessions where factor_id = $1)`,
    [factor.id, methodOf(factor)],
  )
  await tx.query(`update auth.sessions set aal = 'aal1', factor_id = null where factor_id = $1`, [factor.id])
}

/** Creates a challenge for a factor and the caller's address. */
export async function addChallenge(
  tx: Queries,
  context: AuthContext,
  factor: FactorRow,
  address: string,
  ceremony?: CeremonyData,
): Promise<string> {
  const id = randomUUID()
  await tx.query(
    `insert into auth.mfa_challenges (id, factor_id, created_at, ip_address, web_authn_session_data)
     values ($1, $2, $3, $4, $5)`,
    [id, factor.id, timeOf(context), address, ceremony ? JSON.stringify(ceremony) : null],
  )
  // The column is unique, and the clock may not advance.
  await tx.query(
    `update auth.mfa_factors set last_challenged_at = greatest($2::timestamptz,
       (select max(last_challenged_at) + interval '1 microsecond' from auth.mfa_factors)) where id = $1`,
    [factor.id, timeOf(context)],
  )
  return id
}

export async function findChallenge(
  tx: Queries,
  factor: FactorRow,
  id: string,
  address: string,
): Promise<ChallengeRow | undefined> {
  const [row] = await tx.query<ChallengeRow>(
    `select id, created_at, verified_at, ip_address = $3::inet as is_from_address, web_authn_session_data
     from auth.mfa_challenges
     where id::text = lower($1) and factor_id = $2`,
    [id, factor.id, address],
  )
  return row
}
