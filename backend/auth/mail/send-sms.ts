// Codes for phone numbers: fixed codes for test numbers; other numbers are not supported.
import type { MailType } from '../../inbox/index.ts'
import type { Queries } from '../../database/index.ts'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { storeToken, tokenFor, type TokenType } from './one-time-tokens.ts'
import { tooSoon, waitLeft } from './send-mail.ts'
import { timeOf, updateUser, type UserPatch, type UserRow } from '../accounts/users.ts'

/** The error for channels other than text messages. */
export const WRONG_CHANNEL =
  "Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is only supported if Twilio or Twilio Verify is used as the provider."

/** The purpose of a code. */
export type SmsKind = 'confirmation' | 'phone_change' | 'reauthentication'

const KEPT = {
  confirmation: { token: 'confirmation_token', sentAt: 'confirmation_sent_at', mail: 'sms' },
  phone_change: { token: 'phone_change_token', sentAt: 'phone_change_sent_at', mail: 'phone_change' },
  reauthentication: {
    token: 'reauthentication_token',
    sentAt: 'reauthentication_sent_at',
    mail: 'reauthentication',
  },
} as const satisfies Record<SmsKind, { token: TokenType; sentAt: keyof UserPatch; mail: MailType }>

export interface SentSms {
  readonly user: UserRow
  /** The message id in the response. */
  readonly messageId: 'test-otp'
}

/**
 * Sends a code to a test number.
 * @throws 429 `over_sms_send_rate_limit` if the last one was sent too recently, 422 `sms_send_failed` for
 * other numbers
 */
export async function sendSms(
  tx: Queries,
  context: AuthContext,
  user: UserRow,
  phone: string,
  kind: SmsKind,
): Promise<SentSms> {
  const { token: type, sentAt, mail } = KEPT[kind]
  const before = user[sentAt]
  const { maxFrequencySeconds } = context.settings.sms
  const left = before === null ? -1 : waitLeft(context.clock, before, maxFrequencySeconds)
  if (left >= 0) throw tooSoon('over_sms_send_rate_limit', left)
  const otp = testOtpOf(context, phone)
  if (otp === undefined) {
    if (context.settings.sms.enableConfirmations) context.limits.sms()
    const reason = 'this backend cannot send text messages; only numbers in sms.testOtp get codes'
    throw new AuthError(422, 'sms_send_failed', `Error sending ${kind} OTP to provider: ${reason}`)
  }
  const wanted = kind === 'phone_change' ? { phone_change: phone } : {}
  const sent = await updateUser(tx, context, user.id, { ...wanted, [sentAt]: timeOf(context) })
  await storeToken(tx, context, { userId: user.id, type, relatesTo: phone, token: tokenFor(phone, otp) })
  context.mailer.send({ to: phone, type: mail, subject: 'Your code', text: [`Your code is ${otp}`], otp })
  return { user: sent, messageId: 'test-otp' }
}

/** The fixed code of a test number. */
export function testOtpOf({ settings }: Pick<AuthContext, 'settings'>, phone: string): string | undefined {
  const { testOtp } = settings.sms
  return Object.hasOwn(testOtp, phone) ? testOtp[phone] : undefined
}
