// Passwords: hashed with bcrypt outside the mutex, compared in constant time, and checked for strength.
import { compare, hash } from 'bcryptjs'
import { AuthError } from '../errors.ts'
import type { AuthSettings, PasswordRequirements } from '../settings.ts'

/** The number of bytes of a password that bcrypt uses. */
const MAX_LENGTH = 72

export function hashPassword(
  { passwordCost }: Pick<AuthSettings, 'passwordCost'>,
  password: string,
): Promise<string> {
  return hash(password, passwordCost)
}

/**
 * Whether the text is a bcrypt hash of acceptable cost; an expensive one would block the process for minutes.
 */
export function isPasswordHash(text: string): boolean {
  return /^\$2[abxy]\$(0[4-9]|1[0-4])\$[./A-Za-z0-9]{53}$/.test(text)
}

/** The hash of a random, unknown password. */
const nobody = (cost: number) =>
  `$2b$${String(cost).padStart(2, '0')}$Q0ONwlUk2/B155BI3f5vR.WaY9YBfJ8gjHwpu9aPiA5W6R6xu6qQK`

/** Whether the password matches; takes equally long if the user has no password or does not exist. */
export async function verifyPassword(
  { passwordCost }: Pick<AuthSettings, 'passwordCost'>,
  password: string,
  stored: string | null | undefined,
): Promise<boolean> {
  const isHash = stored !== null && stored !== undefined && isPasswordHash(stored)
  const fits = await compare(password, isHash ? stored : nobody(passwordCost))
  return fits && isHash
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const UPPER = LOWER.toUpperCase()
const DIGITS = '0123456789'
const SYMBOLS = '!@#$%^&*()_+-=[]{};\'\\:"|<>?,./`~'

const REQUIRED: Record<PasswordRequirements, readonly string[]> = {
  '': [],
  letters_digits: [LOWER + UPPER, DIGITS],
  lower_upper_letters_digits: [LOWER, UPPER, DIGITS],
  lower_upper_letters_digits_symbols: [LOWER, UPPER, DIGITS, SYMBOLS],
}

export interface Weakness {
  readonly message: string
  readonly reasons: readonly string[]
}

/** Why a password is weak; `undefined` if it is not. */
export function weaknessOf(settings: AuthSettings, password: string): Weakness | undefined {
  const messages: string[] = []
  const reasons: string[] = []
  if (Buffer.byteLength(password) < settings.minimumPasswordLength) {
    reasons.push('length')
    messages.push(`Password should be at least ${settings.minimumPasswordLength} characters.`)
  }
  const required = REQUIRED[settings.passwordRequirements]
  if (required.some(set => !Array.from(set).some(character => password.includes(character)))) {
    reasons.push('characters')
    messages.push(`Password should contain at least one character of each: ${required.join(', ')}.`)
  }
  return reasons.length === 0 ? undefined : { message: messages.join(' '), reasons }
}

/** @throws 400 if the password is too long for bcrypt, 422 `weak_password` with its reasons. */
export function requireStrength(settings: AuthSettings, password: string): void {
  if (Buffer.byteLength(password) > MAX_LENGTH) {
    throw new AuthError(400, 'validation_failed', `Password cannot be longer than ${MAX_LENGTH} characters`)
  }
  const weakness = weaknessOf(settings, password)
  if (!weakness) return
  throw new AuthError(422, 'weak_password', weakness.message, {
    weak_password: { reasons: weakness.reasons },
  })
}
