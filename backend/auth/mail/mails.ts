// Texts of the emails that the auth server sends.
import type { MailDraft } from '../../inbox/index.ts'

export type MailKind = 'signup' | 'invite' | 'magiclink' | 'recovery' | 'email_change' | 'reauthentication'

export interface MailContent {
  readonly to: string
  readonly otp: string
  readonly link?: string
  readonly tokenHash?: string
  readonly redirectTo?: string
  /** The new address of an email change. */
  readonly newEmail?: string
}

interface Words {
  readonly subject: string
  readonly text: readonly string[]
}

const IGNORE = 'Didn’t request this? You can ignore this email.'

const WORDS: Readonly<Record<MailKind, (content: MailContent) => Words>> = {
  signup: () => ({
    subject: 'Confirm your email',
    text: ['Welcome! Confirm your email address to finish signing up.'],
  }),
  invite: () => ({
    subject: 'You have been invited',
    text: ['An account was created for you. Accept the invitation to use it.'],
  }),
  magiclink: () => ({
    subject: 'Sign in',
    text: ['Sign-in link. Works once and expires soon.', IGNORE],
  }),
  recovery: () => ({
    subject: 'Reset your password',
    text: ['The link signs you in so that you can choose a new password.', IGNORE],
  }),
  email_change: ({ to, newEmail }) => ({
    subject: 'Confirm your email change',
    text: [
      to === newEmail
        ? `Confirm ${newEmail} as your new email.`
        : `Confirm the change of your email to ${newEmail}.`,
      IGNORE,
    ],
  }),
  reauthentication: ({ otp }) => ({
    subject: `${otp} is your code`,
    text: ['Enter this code where you were asked to confirm your identity.'],
  }),
}

/** Composes an email. */
export function writeMail(kind: MailKind, content: MailContent): MailDraft {
  const { to, otp, link, tokenHash, redirectTo } = content
  return {
    to,
    type: kind,
    ...WORDS[kind](content),
    otp,
    ...(link === undefined ? {} : { link }),
    ...(tokenHash === undefined ? {} : { tokenHash }),
    ...(redirectTo === undefined ? {} : { redirectTo }),
  }
}
