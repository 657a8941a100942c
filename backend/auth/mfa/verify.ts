// Verifies a factor: creates a challenge, then checks the answer to it, which raises the session to aal2.
import type { Queries } from '../../database/index.ts'
import { audit } from '../audit.ts'
import type { Caller } from '../sessions/caller.ts'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { endFamily, grantRefreshToken } from '../sessions/refresh-tokens.ts'
import { textOf } from '../../shared/fields.ts'
import { addAuthenticationMethod, endSessions, sessionBody, type SessionBody } from '../sessions/sessions.ts'
import { findUserById, timeOf } from '../accounts/users.ts'
import {
  addChallenge,
  findChallenge,
  methodOf,
  verifyFactor,
  type ChallengeRow,
  type FactorRow,
} from './factors.ts'
import {
  beginCeremony,
  finishCeremony,
  securityKeyExpected,
  storeSecurityKey,
  type SecurityKeyAnswer,
} from './security-key.ts'
import { openSecret } from './secret.ts'
import { isTotpCode } from './totp.ts'

const CHALLENGE_LIFE_MS = 300_000

/** Handles the body of `POST /factors/:id/challenge`. */
export async function challengeFactor(
  tx: Queries,
  context: AuthContext,
  { user }: Caller,
  factor: FactorRow,
  address: string,
): Promise<Record<string, unknown>> {
  requireVerifiable(context, factor)
  const ceremony =
    factor.factor_type === 'webauthn' ? await beginCeremony(tx, context, user, factor) : undefined
  const id = await addChallenge(tx, context, factor, address, ceremony?.data)
  await audit(tx, context, user, 'challenge_created', { factor_id: factor.id, factor_status: factor.status })
  const expiresAt = Math.floor((context.clock.now() + CHALLENGE_LIFE_MS) / 1000)
  return {
    id,
    type: factor.factor_type,
    expires_at: expiresAt,
    ...(ceremony ? { webauthn: ceremony.body } : {}),
  }
}

/** @throws 422 `mfa_…_verify_not_enabled` for disabled factor types. */
function requireVerifiable({ settings }: AuthContext, factor: FactorRow): void {
  if (factor.factor_type === 'phone') {
    throw new AuthError(422, 'mfa_phone_verify_not_enabled', 'MFA verification is disabled for Phone')
  }
  if (factor.factor_type === 'webauthn') {
    if (settings.mfa.webAuthn.verifyEnabled) return
    throw new AuthError(422, 'mfa_webauthn_verify_not_enabled', 'MFA verification is disabled for WebAuthn')
  }
  if (!settings.mfa.totp.verifyEnabled) {
    throw new AuthError(422, 'mfa_totp_verify_not_enabled', 'MFA verification is disabled for TOTP')
  }
}

export interface Proof {
  readonly challengeId: string
  readonly code: string
  /** Instead of a code, for a security key. */
  readonly webauthn: SecurityKeyAnswer | undefined
  readonly address: string
  readonly request: Request
}

/** The new session, or a refusal whose writes must be committed. */
export type ProofOutcome = { readonly session: SessionBody } | { readonly refusal: AuthError }

export async function proveFactor(
  tx: Queries,
  context: AuthContext,
  caller: Caller,
  factor: FactorRow,
  proof: Proof,
): Promise<ProofOutcome> {
  requireVerifiable(context, factor)
  const challenge = await findChallenge(tx, factor, proof.challengeId, proof.address)
  if (!challenge) {
    throw new AuthError(422, 'mfa_factor_not_found', 'MFA factor with the provided challenge ID not found')
  }
  if (challenge.verified_at !== null || !challenge.is_from_address) {
    throw new AuthError(422, 'mfa_ip_address_mismatch', 'Challenge and verify IP addresses mismatch.')
  }
  if (context.clock.now() > Date.parse(challenge.created_at) + CHALLENGE_LIFE_MS) {
    await tx.query('delete from auth.mfa_challenges where id = $1', [challenge.id])
    return { refusal: challengeExpired(challenge.id) }
  }
  if (factor.factor_type === 'webauthn')
    return proveSecurityKey(tx, context, caller, factor, { proof, challenge })
  const secret = openSecret(context, factor.secret ?? '', factor.id)
  const isValid = isTotpCode(secret, proof.code, context.clock.now())
  const rejection = await askHook(tx, context, factor, { ...proof, isValid })
  if (rejection) return { refusal: rejection }
  if (!isValid) {
    throw new AuthError(422, 'mfa_verification_failed', 'Invalid TOTP code entered')
  }
  await tx.query('update auth.mfa_challenges set verified_at = $2 where id = $1', [
    challenge.id,
    timeOf(context),
  ])
  return accept(tx, context, caller, factor, { proof, challenge })
}

async function proveSecurityKey(
  tx: Queries,
  context: AuthContext,
  caller: Caller,
  factor: FactorRow,
  { proof, challenge }: { readonly proof: Proof; readonly challenge: ChallengeRow },
): Promise<ProofOutcome> {
  if (!proof.webauthn) throw securityKeyExpected()
  const answer = await finishCeremony(tx, context, factor, challenge, proof.webauthn)
  if (answer instanceof AuthError) throw answer
  await tx.query('delete from auth.mfa_challenges where id = $1', [challenge.id])
  if (answer !== 'known') await storeSecurityKey(tx, context, factor, answer)
  return accept(tx, context, caller, factor, { proof, challenge })
}

/** The proof is right: the factor is verified, and the session has its level from now on. */
async function accept(
  tx: Queries,
  context: AuthContext,
  caller: Caller,
  factor: FactorRow,
  { proof, challenge }: { readonly proof: Proof; readonly challenge: ChallengeRow },
): Promise<ProofOutcome> {
  await audit(tx, context, caller.user, 'verification_attempted', {
    factor_id: factor.id,
    challenge_id: challenge.id,
    factor_type: factor.factor_type,
  })
  await verifyFactor(tx, context, factor)
  return { session: await raiseSession(tx, context, caller, factor, proof.request) }
}

/** The error if the project's hook rejects the attempt; the user's sessions end with it. */
async function askHook(
  tx: Queries,
  { hooks }: AuthContext,
  factor: FactorRow,
  attempt: Proof & { readonly isValid: boolean },
): Promise<AuthError | undefined> {
  if (!hooks.has('mfa_verification_attempt')) return undefined
  const answer = await hooks.run(tx, {
    name: 'mfa_verification_attempt',
    key: attempt.challengeId,
    request: attempt.request,
    payload: {
      user_id: factor.user_id,
      factor_id: factor.id,
      factor_type: factor.factor_type,
      valid: attempt.isValid,
    },
  })
  if (textOf(answer, 'decision') !== 'reject') return undefined
  await endSessions(tx, { id: factor.user_id }, 'global', undefined)
  const message = textOf(answer, 'message') || 'Further MFA verification attempts will be rejected.'
  return new AuthError(403, 'mfa_verification_rejected', message)
}

function challengeExpired(id: string): AuthError {
  const message = `MFA challenge ${id} has expired, verify against another challenge or create a new challenge.`
  return new AuthError(422, 'mfa_challenge_expired', message)
}

/**
 * Raises the session to aal2. Ends the user's aal1 sessions and permanently revokes the session's earlier
 * tokens.
 */
async function raiseSession(
  tx: Queries,
  context: AuthContext,
  { user, sessionId }: Caller,
  factor: FactorRow,
  request: Request,
): Promise<SessionBody> {
  const method = methodOf(factor)
  await addAuthenticationMethod(tx, context, sessionId, method, factor.id)
  await tx.query(`delete from auth.sessions where user_id = $1 and aal < 'aal2'`, [user.id])
  await endFamily(tx, context, sessionId)
  const refreshToken = await grantRefreshToken(tx, context, { id: sessionId, userId: user.id })
  const current = (await findUserById(tx, user.id)) ?? user
  return sessionBody(tx, context, { user: current, sessionId, refreshToken, method, request })
}
