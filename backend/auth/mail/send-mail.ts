// Sends the emails of the auth service with a new token, and stores the token's hash and the time of sending.
import type { Clock } from '../../shared/clock.ts'
import type { Queries } from '../../database/index.ts'
import { issuerOf, type AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { once, steadyText } from '../hooks/repeatable.ts'
import { actionLink, redirectSettings } from './links.ts'
import { writeMail, type MailKind } from './mails.ts'
import { generateOtp, PKCE_PREFIX, storeToken, tokenFor, type TokenType } from './one-time-tokens.ts'
import { redirectOf } from './redirects.ts'
import { describeUser, timeOf, updateUser, type UserPatch, type UserRow } from '../accounts/users.ts'

/** The request that triggered an email, and the kind of flow its link ends. */
export interface Occasion {
  readonly request: Request
  /** The link ends in a code to exchange. */
  readonly isPkce?: boolean
}

/** For each kind of email: its token type, and the column with its time of sending. */
const STORED_TOKENS = {
  signup: { token: 'confirmation_token', sentAt: 'confirmation_sent_at' },
  invite: { token: 'confirmation_token', sentAt: 'confirmation_sent_at' },
  magiclink: { token: 'recovery_token', sentAt: 'recovery_sent_at' },
  recovery: { token: 'recovery_token', sentAt: 'recovery_sent_at' },
  reauthentication: { token: 'reauthentication_token', sentAt: 'reauthentication_sent_at' },
} as const satisfies Partial<Record<MailKind, { token: TokenType; sentAt: keyof UserPatch }>>

/** Emails to a user's own address. */
export type OwnMail = keyof typeof STORED_TOKENS

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
  const { token: type, sentAt } = STORED_TOKENS[kind]
  // Invitations by an admin are not limited by the time of the last email.
  if (kind !== 'invite') checkFrequency(context, user[sentAt])
  const email = user.email ?? ''
  const otp = steadyText(tx, () => generateOtp(context.settings.email.otpLength))
  const token = `${occasion.isPkce ? PKCE_PREFIX : ''}${tokenFor(email, otp)}`
  once(tx, () => countMail(context))
  const now = timeOf(context)
  const invited = kind === 'invite' ? { invited_at: now } : {}
  const sent = await updateUser(tx, context, user.id, { [sentAt]: now, ...invited })
  await storeToken(tx, context, { userId: user.id, type, relatesTo: email, token })
  if (context.hooks.has('send_email')) {
    await runEmailHook(tx, context, sent, occasion, {
      email_action_type: kind,
      token: otp,
      token_hash: token,
    })
  } else if (kind === 'reauthentication') {
    once(tx, () => context.mailer.send(writeMail(kind, { to: email, otp })))
  } else once(tx, () => post(context, kind, occasion, { to: email, otp, token }))
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
  once(tx, () => countMail(context))
  const changed = await updateUser(tx, context, user.id, {
    email_change: newEmail,
    email_change_sent_at: timeOf(context),
    email_change_confirm_status: 0,
  })
  const isHooked = context.hooks.has('send_email')
  const send = async (to: string, type: TokenType) => {
    const otp = steadyText(tx, () => generateOtp(context.settings.email.otpLength))
    const token = `${occasion.isPkce ? PKCE_PREFIX : ''}${tokenFor(to, otp)}`
    await storeToken(tx, context, { userId: user.id, type, relatesTo: to, token })
    if (!isHooked) once(tx, () => post(context, 'email_change', occasion, { to, otp, token, newEmail }))
    return { otp, token }
  }
  const next = await send(newEmail, 'email_change_token_new')
  const isDouble = context.settings.email.doubleConfirmChanges && user.email
  const current = isDouble ? await send(isDouble, 'email_change_token_current') : undefined
  if (isHooked) {
    // The official server crosses the hashes of the two codes, and hooks rely on it.
    const data = current
      ? { token: current.otp, token_hash: next.token, token_new: next.otp, token_hash_new: current.token }
      : { token: next.otp, token_hash: next.token }
    await runEmailHook(tx, context, changed, occasion, { email_action_type: 'email_change', ...data })
  }
  return changed
}

/** What a `send_email` hook gets of an email. */
interface EmailData {
  readonly email_action_type: MailKind
  readonly token: string
  readonly token_hash: string
  readonly token_new?: string
  readonly token_hash_new?: string
}

/** Lets the project's hook send an email, which does not reach the inbox then. */
async function runEmailHook(
  tx: Queries,
  context: AuthContext,
  user: UserRow,
  { request }: Occasion,
  data: EmailData,
): Promise<void> {
  const emailData = {
    redirect_to: redirectOf(redirectSettings(context), request),
    site_url: issuerOf(context),
    token_new: '',
    token_hash_new: '',
    old_email: '',
    old_phone: '',
    provider: '',
    factor_type: '',
    ...data,
  }
  await context.hooks.run(tx, {
    name: 'send_email',
    key: data.token_hash,
    request,
    payload: { user: await describeUser(tx, user), email_data: emailData },
  })
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
