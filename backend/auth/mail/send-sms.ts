// Codes for phone numbers: fixed codes for test numbers; other numbers get theirs from the project's hook, if any.
import type { MailType } from '../../inbox/index.ts'
import type { Queries } from '../../database/index.ts'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { once, steadyText } from '../hooks/repeatable.ts'
import { generateOtp, storeToken, tokenFor, type TokenType } from './one-time-tokens.ts'
import { tooSoon, waitLeft } from './send-mail.ts'
import { describeUser, timeOf, updateUser, type UserPatch, type UserRow } from '../accounts/users.ts'

/** The error for channels other than text messages. */
export const WRONG_CHANNEL =
  "Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is only supported if Twilio or Twilio Verify is used as the provider."

/** The purpose of a code. */
export type SmsKind = 'confirmation' | 'phone_change' | 'reauthentication'

const STORED_TOKENS = {
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
  readonly messageId: 'test-otp' | undefined
}

export interface SmsOrder {
  readonly phone: string
  readonly kind: SmsKind
  readonly request: Request
}

/** The official default. */
const OTP_LENGTH = 6

/**
 * Sends a code to a test number, or lets the project's hook send it.
 * @throws 429 `over_sms_send_rate_limit` if the last one was sent too recently, 422 `sms_send_failed` for
 * other numbers without a hook
 */
export async function sendSms(
  tx: Queries,
  context: AuthContext,
  user: UserRow,
  { phone, kind, request }: SmsOrder,
): Promise<SentSms> {
  const { token: type, sentAt, mail } = STORED_TOKENS[kind]
  const before = user[sentAt]
  const { maxFrequencySeconds } = context.settings.sms
  const left = before === null ? -1 : waitLeft(context.clock, before, maxFrequencySeconds)
  if (left >= 0) throw tooSoon('over_sms_send_rate_limit', left)
  const testOtp = testOtpOf(context, phone)
  if (testOtp === undefined && context.settings.sms.enableConfirmations) once(tx, () => context.limits.sms())
  if (testOtp === undefined && !context.hooks.has('send_sms')) {
    const reason = 'this backend cannot send text messages; only numbers in sms.testOtp get codes'
    throw new AuthError(422, 'sms_send_failed', `Error sending ${kind} OTP to provider: ${reason}`)
  }
  const otp = testOtp ?? steadyText(tx, () => generateOtp(OTP_LENGTH))
  if (testOtp === undefined) {
    await context.hooks.run(tx, {
      name: 'send_sms',
      key: otp,
      request,
      payload: { user: await describeUser(tx, user), sms: { otp, phone } },
    })
  }
  const pending = kind === 'phone_change' ? { phone_change: phone } : {}
  const sent = await updateUser(tx, context, user.id, { ...pending, [sentAt]: timeOf(context) })
  await storeToken(tx, context, { userId: user.id, type, relatesTo: phone, token: tokenFor(phone, otp) })
  if (testOtp === undefined) return { user: sent, messageId: undefined }
  once(tx, () =>
    context.mailer.send({ to: phone, type: mail, subject: 'Your code', text: [`Your code is ${otp}`], otp }),
  )
  return { user: sent, messageId: 'test-otp' }
}

/** The fixed code of a test number. */
export function testOtpOf({ settings }: Pick<AuthContext, 'settings'>, phone: string): string | undefined {
  const { testOtp } = settings.sms
  return Object.hasOwn(testOtp, phone) ? testOtp[phone] : undefined
}
