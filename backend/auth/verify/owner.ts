// Finds the user of a token or code, and checks that it is still valid.
import type { Queries } from '../../database/index.ts'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { findToken, hasToken, PKCE_PREFIX, type TokenType } from '../mail/one-time-tokens.ts'
import { testOtpOf } from '../mail/send-sms.ts'
import { findUserByEmail, findUserById, findUserByPhone, isBanned, type UserRow } from '../accounts/users.ts'
import { invalid, isSms, type ByAddress, type ByToken, type MailVerification } from './parameters.ts'

/** The user, and what the token confirms: `email` covers two types. */
export interface Owner {
  readonly user: UserRow
  readonly type: Exclude<MailVerification, 'email'> | 'sms' | 'phone_change'
}

/** The token types that a verification type accepts, and what each confirms. */
const TYPES = {
  signup: { confirmation_token: 'signup' },
  invite: { confirmation_token: 'invite' },
  recovery: { recovery_token: 'recovery' },
  magiclink: { recovery_token: 'magiclink' },
  email: { confirmation_token: 'signup', recovery_token: 'magiclink' },
  email_change: { email_change_token_current: 'email_change', email_change_token_new: 'email_change' },
} as const satisfies Record<MailVerification, Partial<Record<TokenType, Owner['type']>>>

const SENT_AT = {
  confirmation_token: 'confirmation_sent_at',
  recovery_token: 'recovery_sent_at',
  email_change_token_current: 'email_change_sent_at',
  email_change_token_new: 'email_change_sent_at',
  phone_change_token: 'phone_change_sent_at',
  reauthentication_token: 'reauthentication_sent_at',
} as const satisfies Record<TokenType, keyof UserRow>

/** Lifetime of a text message code in seconds, as in the local CLI. */
const SMS_SECONDS = 60

/** The user of a link's token. @throws 403 `otp_expired`, 403 `user_banned` */
export async function ownerOfToken(tx: Queries, context: AuthContext, verification: ByToken): Promise<Owner> {
  if (!isMail(verification.type)) throw invalid('Invalid email verification type')
  const owner = await findToken(tx, context, verification.token, typesOf(verification.type))
  const user = owner && (await findUserById(tx, owner.user_id))
  if (!user) throw expired('Email link is invalid or has expired')
  refuseBanned(context, user)
  if (!isFresh(context, user, owner.token_type, otpSeconds(context)))
    throw expired('Email link is invalid or has expired')
  return { user, type: confirms(verification.type, owner.token_type) }
}

/** The user of an address with a correct code. @throws 403 `otp_expired`, 403 `user_banned` */
export async function ownerOfAddress(
  tx: Queries,
  context: AuthContext,
  verification: ByAddress,
): Promise<Owner> {
  const user = await findByAddress(tx, context, verification)
  if (!user) throw expired(WRONG_CODE)
  refuseBanned(context, user)
  if (isSms(verification.type)) {
    const type = verification.type === 'sms' ? 'confirmation_token' : 'phone_change_token'
    const isTest = testOtpOf(context, verification.address) === verification.code
    if (isTest || (await isRightCode(tx, context, user, type, verification.token, SMS_SECONDS)))
      return { user, type: verification.type }
  } else if (isMail(verification.type)) {
    const types = typesOf(verification.type)
    for (const type of types) {
      if (await isRightCode(tx, context, user, type, verification.token, otpSeconds(context)))
        return { user, type: confirms(verification.type, type) }
    }
  }
  throw expired(WRONG_CODE)
}

/** Also counts wrong codes. */
async function isRightCode(
  tx: Queries,
  context: AuthContext,
  user: UserRow,
  type: TokenType,
  token: string,
  seconds: number,
): Promise<boolean> {
  const sentAt = user[SENT_AT[type]]
  if (sentAt === null || !isFresh(context, user, type, seconds)) return false
  if (context.wrongCodes.isVoid(user, type, sentAt)) return false
  if (await hasToken(tx, context, user.id, type, token)) return true
  context.wrongCodes.add(user, type, sentAt)
  return false
}

const WRONG_CODE = 'Token has expired or is invalid'

async function findByAddress(
  tx: Queries,
  context: AuthContext,
  { type, address, token }: ByAddress,
): Promise<UserRow | undefined> {
  if (type === 'phone_change') {
    const [row] = await tx.query<UserRow>('select * from auth.users where phone_change = $1 limit 1', [
      address,
    ])
    return row
  }
  if (type === 'sms') return findUserByPhone(tx, address)
  if (type !== 'email_change') return findUserByEmail(tx, address)
  for (const candidate of [token, `${PKCE_PREFIX}${token}`]) {
    const owner = await findToken(tx, context, candidate, typesOf(type))
    if (owner) return findUserById(tx, owner.user_id)
  }
  return undefined
}

function isFresh({ clock }: AuthContext, user: UserRow, type: TokenType, seconds: number): boolean {
  const sentAt = user[SENT_AT[type]]
  return sentAt !== null && clock.now() <= Date.parse(sentAt) + seconds * 1_000
}

function otpSeconds({ settings }: AuthContext): number {
  return settings.email.otpExpirySeconds
}

function isMail(type: string): type is MailVerification {
  return Object.hasOwn(TYPES, type)
}

function typesOf(type: MailVerification): TokenType[] {
  return Object.keys(TYPES[type]) as TokenType[]
}

function confirms(type: MailVerification, token: TokenType): Owner['type'] {
  const confirmed: Partial<Record<TokenType, Owner['type']>> = TYPES[type]
  return confirmed[token] ?? 'signup'
}

function refuseBanned(context: AuthContext, user: UserRow): void {
  if (isBanned(context, user)) throw new AuthError(403, 'user_banned', 'User is banned')
}

function expired(message: string): AuthError {
  return new AuthError(403, 'otp_expired', message)
}
