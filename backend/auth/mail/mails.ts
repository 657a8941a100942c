// The words of the mails that the auth family writes.
import type { MailDraft } from '../../inbox/store.ts'

export type MailKind = 'signup' | 'invite' | 'magiclink' | 'recovery' | 'email_change' | 'reauthentication'

export interface MailContent {
  readonly to: string
  readonly otp: string
  readonly link?: string
  readonly tokenHash?: string
  readonly redirectTo?: string
  /** The address that a user asks for. */
  readonly newEmail?: string
}

interface Words {
  readonly subject: string
  readonly text: readonly string[]
}

const IGNORE = 'Was it not you? Then there is nothing to do: without the link or the code nothing happens.'

const WORDS: Readonly<Record<MailKind, (content: MailContent) => Words>> = {
  signup: () => ({
    subject: 'Confirm your address',
    text: ['Welcome. One step is left: confirm that this address is yours.'],
  }),
  invite: () => ({
    subject: 'An invitation for you',
    text: ['Somebody has made an account for you. Accept the invitation to use it.'],
  }),
  magiclink: () => ({
    subject: 'Sign in',
    text: ['Here is the link that signs you in. It works once, and not for long.', IGNORE],
  }),
  recovery: () => ({
    subject: 'Choose a new password',
    text: ['The link signs you in, so that you can choose a new password.', IGNORE],
  }),
  email_change: ({ to, newEmail }) => ({
    subject: 'Confirm the change of your address',
    text: [
      to === newEmail
        ? `Confirm that ${newEmail} is your new address.`
        : `Confirm that your address is to become ${newEmail}.`,
      IGNORE,
    ],
  }),
  reauthentication: ({ otp }) => ({
    subject: `${otp} is your code`,
    text: ['Type this code where you were asked whether it is really you.'],
  }),
}

/** Writes a mail. */
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
