// Enrolls a factor: a new authenticator or security key, unverified until its first use.
import { randomUUID } from 'node:crypto'
import type { Queries } from '../../database/index.ts'
import { audit } from '../audit.ts'
import type { Caller } from '../sessions/caller.ts'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { addFactor, dropExpiredFactors, factorsOf } from './factors.ts'
import { sealSecret } from './secret.ts'
import { createTotpKey } from './totp.ts'

export interface EnrolRequest {
  readonly factorType: string
  readonly friendlyName: string
  /** The app name shown in the authenticator; defaults to the site's host if empty. */
  readonly issuer: string
}

/** Longer names do not fit into the QR code. */
const LONGEST_ISSUER = 100

/** Handles the body of `POST /factors`. */
export async function enrolFactor(
  tx: Queries,
  context: AuthContext,
  caller: Caller,
  request: EnrolRequest,
): Promise<Record<string, unknown>> {
  requireEnrollable(context, request.factorType)
  if (request.factorType === 'webauthn') return enrolSecurityKey(tx, context, caller, request.friendlyName)
  const issuer = (request.issuer || siteHost(context)).toWellFormed()
  if (issuer.length > LONGEST_ISSUER) {
    throw new AuthError(400, 'validation_failed', `issuer must have at most ${LONGEST_ISSUER} characters`)
  }
  const { user } = caller
  await checkRoom(tx, context, caller, request.friendlyName)
  const key = createTotpKey(issuer, (user.email || user.phone || user.id).toWellFormed())
  const id = randomUUID()
  const sealedSecret = sealSecret(context, key.secret, id)
  await addFactor(tx, context, {
    id,
    userId: user.id,
    friendlyName: request.friendlyName,
    factorType: 'totp',
    sealedSecret,
  })
  await audit(tx, context, user, 'factor_in_progress', { factor_id: id })
  return {
    id,
    type: 'totp',
    friendly_name: request.friendlyName,
    totp: { qr_code: key.qrCode, secret: key.secret, uri: key.uri },
  }
}

/** Without a credential: the first challenge asks for one. */
async function enrolSecurityKey(
  tx: Queries,
  context: AuthContext,
  caller: Caller,
  friendlyName: string,
): Promise<Record<string, unknown>> {
  await checkRoom(tx, context, caller, friendlyName)
  const id = randomUUID()
  await addFactor(tx, context, { id, userId: caller.user.id, friendlyName, factorType: 'webauthn' })
  await audit(tx, context, caller.user, 'factor_in_progress', { factor_id: id, factor_type: 'webauthn' })
  return { id, type: 'webauthn', friendly_name: friendlyName }
}

function requireEnrollable({ settings }: AuthContext, factorType: string): void {
  if (factorType === 'phone') {
    throw new AuthError(422, 'mfa_phone_enroll_not_enabled', 'MFA enroll is disabled for Phone')
  }
  if (factorType === 'webauthn') {
    if (settings.mfa.webAuthn.enrollEnabled) return
    throw new AuthError(422, 'mfa_webauthn_enroll_not_enabled', 'MFA enroll is disabled for WebAuthn')
  }
  if (factorType !== 'totp') {
    throw new AuthError(400, 'validation_failed', 'factor_type needs to be totp, phone, or webauthn')
  }
  if (!settings.mfa.totp.enrollEnabled) {
    throw new AuthError(422, 'mfa_totp_enroll_not_enabled', 'MFA enroll is disabled for TOTP')
  }
}

function siteHost({ settings, url }: AuthContext): string {
  return URL.parse(settings.siteUrl)?.host || new URL(url).host
}

async function checkRoom(
  tx: Queries,
  context: AuthContext,
  { user, session }: Caller,
  friendlyName: string,
): Promise<void> {
  await dropExpiredFactors(tx, context)
  const factors = await factorsOf(tx, user.id)
  if (factors.some(factor => (factor.friendly_name ?? '') === friendlyName)) throw nameConflict(friendlyName)
  if (factors.length >= context.settings.mfa.maxEnrolledFactors) {
    throw new AuthError(
      422,
      'too_many_enrolled_mfa_factors',
      'Maximum number of verified factors reached, unenroll to continue',
    )
  }
  if (factors.some(({ status }) => status === 'verified') && session.aal !== 'aal2') {
    throw new AuthError(403, 'insufficient_aal', 'AAL2 required to enroll a new factor')
  }
}

export function nameConflict(friendlyName: string): AuthError {
  return new AuthError(
    422,
    'mfa_factor_name_conflict',
    `A factor with the friendly name ${JSON.stringify(friendlyName)} for this user already exists`,
  )
}
