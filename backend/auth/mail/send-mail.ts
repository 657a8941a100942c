// Sends the emails of the auth service with a new token, and stores the token's hash and the time of sending.
import type { Clock } from '../../shared/clock.ts'
import type { Queries } from '../../database/index.ts'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { actionLink, redirectSettings } from './links.ts'
import { writeMail, type MailKind } from './mails.ts'
import { generateOtp, PKCE_PREFIX, storeToken, tokenFor, type TokenType } from './one-time-tokens.ts'
import { redirectOf } from './redirects.ts'
import { timeOf, updateUser, type UserPatch, type UserRow } from '../accounts/users.ts'

/** The request that triggered an email, and the kind of flow its link ends. */
export interface Occasion {
  readonly request: Request
  /** The link ends in a code to exchange. */
  readonly isPkce?: boolean
}

/** For each kind of email: its token type, and the column with its time of sending. */
const KEPT = {
  signup: { token: 'confirmation_token', sentAt: 'confirmation_sent_at' },
  invite: { token: 'confirmation_token', sentAt: 'confirmation_sent_at' },
  magiclink: { token: 'recovery_token', sentAt: 'recovery_sent_at' },
  recovery: { token: 'recovery_token', sentAt: 'recovery_sent_at' },
  reauthentication: { token: 'reauthentication_token', sentAt: 'reauthentication_sent_at' },
} as const satisfies Partial<Record<MailKind, { token: TokenType; sentAt: keyof UserPatch }>>

/** Emails to a user's own address. */
export type OwnMail = keyof typeof KEPT

/**
 * Sends an email to a user's address.
 * @throws 429 `over_email_send_rate_limit` if the last one was sent too recently, or too many were sent
 */
export async function sendMail(
  tx: Queries,
  context: AuthContext,
  user: UserRow,
  kind: OwnMail,
  occasion: Occasion,
): Promise<UserRow> {
  const { token: type, sentAt } = KEPT[kind]
  // Invitations by an admin are not limited by the time of the last email.
  if (kind !== 'invite') checkFrequency(context, user[sentAt])
  const email = user.email ?? ''
  const otp = generateOtp(context.settings.email.otpLength)
  const token = `${occasion.isPkce ? PKCE_PREFIX : ''}${tokenFor(email, otp)}`
  countMail(context)
  const now = timeOf(context)
  const invited = kind === 'invite' ? { invited_at: now } : {}
  const sent = await updateUser(tx, context, user.id, { [sentAt]: now, ...invited })
  await storeToken(tx, context, { userId: user.id, type, relatesTo: email, token })
  if (kind === 'reauthentication') context.mailer.send(writeMail(kind, { to: email, otp }))
  else post(context, kind, occasion, { to: email, otp, token })
  return sent
}

/** Sends a confirmation email to the address of a new account. */
export function sendConfirmation(
  tx: Queries,
  context: AuthContext,
  user: UserRow,
  occasion: Occasion,
): Promise<UserRow> {
  return sendMail(tx, context, user, 'signup', occasion)
}

/**
 * Stores the requested address and sends a confirmation to it and, depending on the settings, to the old one.
 * @throws 429 `over_email_send_rate_limit`
 */
export async function startEmailChange(
  tx: Queries,
  context: AuthContext,
  user: UserRow,
  newEmail: string,
  occasion: Occasion,
): Promise<UserRow> {
  checkFrequency(context, user.email_change_sent_at)
  countMail(context)
  const changed = await updateUser(tx, context, user.id, {
    email_change: newEmail,
    email_change_sent_at: timeOf(context),
    email_change_confirm_status: 0,
  })
  const send = async (to: string, type: TokenType) => {
    const otp = generateOtp(context.settings.email.otpLength)
    const token = `${occasion.isPkce ? PKCE_PREFIX : ''}${tokenFor(to, otp)}`
    await storeToken(tx, context, { userId: user.id, type, relatesTo: to, token })
    post(context, 'email_change', occasion, { to, otp, token, newEmail })
  }
  await send(newEmail, 'email_change_token_new')
  if (context.settings.email.doubleConfirmChanges && user.email) {
    await send(user.email, 'email_change_token_current')
  }
  return changed
}

interface Letter {
  readonly to: string
  readonly otp: string
  readonly token: string
  readonly newEmail?: string
}

function post(context: AuthContext, type: MailKind, { request }: Occasion, letter: Letter): void {
  const { token, ...rest } = letter
  const redirectTo = redirectOf(redirectSettings(context), request)
  const link = actionLink(context, { token, type, redirectTo })
  context.mailer.send(writeMail(type, { ...rest, link, tokenHash: token, redirectTo }))
}

function checkFrequency({ clock, settings }: AuthContext, sentAt: string | null): void {
  if (sentAt === null) return
  const left = waitLeft(clock, sentAt, settings.email.maxFrequencySeconds)
  if (left > 0) throw tooSoon('over_email_send_rate_limit', left)
}

/**
 * Milliseconds until the next message may be sent, negative if allowed now; undefined if the last one is
 * dated in the future.
 */
export function waitLeft(clock: Clock, sentAt: string, betweenSeconds: number): number {
  const ago = clock.now() - Date.parse(sentAt)
  return ago < 0 ? -1 : betweenSeconds * 1_000 - ago
}

/** The error for a second message within the minimum interval. */
export function tooSoon(code: string, leftMs: number): AuthError {
  const seconds = Math.floor(leftMs / 1_000)
  return new AuthError(
    429,
    code,
    `For security purposes, you can only request this after ${seconds} seconds.`,
    {},
    { 'retry-after': String(Math.ceil(leftMs / 1_000)) },
  )
}

/** Without confirmations only a limit of zero applies, as in the official server. */
function countMail({ limits, settings }: AuthContext): void {
  if (settings.email.enableConfirmations || settings.rateLimit.emailSent === 0) limits.mail()
}
