// Parses auth request bodies: a JSON object whose fields have the types that the route expects.
import { fieldOf } from '../shared/fields.ts'
import { AuthError } from './errors.ts'

export type Body = Readonly<Record<string, unknown>>

/**
 * As in the official server, `null` is an object without fields, and a field that is `null` counts as absent.
 * @throws 400 `bad_json` for anything but a JSON object that PostgreSQL can store.
 */
export async function readBody(request: Request): Promise<Body> {
  const body = parse(await request.clone().text()) ?? {}
  if (isBody(body)) {
    requireFlat(body)
    for (const name of TEXTS) textIn(body, name)
    return body
  }
  throw badJson('an object is expected')
}

/** Texts in every body of the official server that has them, also where they have no effect. */
const TEXTS = ['email', 'phone', 'password', 'channel', 'code_challenge', 'code_challenge_method']

/** Like `readBody`, but an absent body counts as empty. */
export async function readOptionalBody(request: Request): Promise<Body> {
  return (await request.clone().text()).trim() === '' ? {} : readBody(request)
}

/** A text field, empty if absent or null. */
export function textIn(body: Body, name: string): string {
  const value = fieldOf(body, name) ?? ''
  if (typeof value === 'string') return value
  throw badJson(`${name} is not a string`)
}

/** A text field, `undefined` if absent or null. */
export function optionalText(body: Body, name: string): string | undefined {
  return fieldOf(body, name) === undefined || fieldOf(body, name) === null ? undefined : textIn(body, name)
}

export function flagIn(body: Body, name: string): boolean {
  const value = fieldOf(body, name) ?? false
  if (typeof value === 'boolean') return value
  throw badJson(`${name} is not a boolean`)
}

/** An object field, `undefined` if absent or null. */
export function objectIn(body: Body, name: string): Body | undefined {
  const value = fieldOf(body, name) ?? undefined
  if (value === undefined || isBody(value)) return value
  throw badJson(`${name} is not an object`)
}

function badJson(reason: string): AuthError {
  return new AuthError(400, 'bad_json', `Could not parse request body as JSON: ${reason}`)
}

/** Deeper than any legitimate request; reaching PostgreSQL's own limit would be a server error. */
const DEEPEST = 100

function requireFlat(body: Body): void {
  let level: unknown[] = [body]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEPEST) throw badJson('it is nested too deeply')
    level = level.flatMap(partsOf)
  }
}

function partsOf(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values<unknown>({ ...value }) : []
}

function isBody(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** PostgreSQL text cannot contain NUL or unpaired surrogates. */
function parse(text: string): unknown {
  const refuse = (part: unknown) => {
    if (typeof part === 'string' && (part.includes('\0') || !part.isWellFormed())) {
      throw new SyntaxError('a string cannot be stored')
    }
  }
  try {
    return JSON.parse(text, (name, value: unknown) => {
      refuse(name)
      refuse(value)
      return value
    })
  } catch {
    throw badJson('it is malformed')
  }
}

const EMAIL =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i
const MAX_EMAIL_LENGTH = 255

/** Returns the address in lower case. @throws 400 `validation_failed` for an invalid address. */
export function validEmail(email: string): string {
  if (email === '') throw new AuthError(400, 'validation_failed', 'An email address is required')
  if (Buffer.byteLength(email) > MAX_EMAIL_LENGTH) {
    throw new AuthError(400, 'validation_failed', 'An email address is too long')
  }
  if (!EMAIL.test(email)) {
    throw new AuthError(400, 'validation_failed', 'Unable to validate email address: invalid format')
  }
  return email.toLowerCase()
}

/**
 * Returns the digits of a number in international format. @throws 400 `validation_failed` for anything else.
 */
export function validPhone(phone: string): string {
  const digits = phone.replace(/^\+/, '').replaceAll(' ', '')
  if (/^[1-9]\d{1,14}$/.test(digits)) return digits
  throw new AuthError(400, 'validation_failed', 'Invalid phone number format (E.164 required)')
}
