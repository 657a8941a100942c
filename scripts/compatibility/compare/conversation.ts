// Conversations with a server: requests as data, with variables that earlier responses set.
import { createHmac } from 'node:crypto'
import { fieldOf } from '../../../backend/shared/fields.ts'
import { codeOf } from './totp.ts'

/** A request. `{{name}}` in its path, headers and body is replaced by that variable. */
export interface Request {
  readonly method: string
  readonly path: string
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent unchanged, instead of `body`. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
  /** `service` is the service role's token, any other name a variable with a token; absent: no token. */
  readonly as?: string
  /**
   * Variables by name: a path in the body such as `user.id`, or of the redirect `location:NAME`, a parameter, or
   * `location`, the path on the server.
   */
  readonly save?: Readonly<Record<string, string>>
}

/** The next email to an address, which sets the variables `code`, `hash` and `link`. */
export interface MailStep {
  readonly mailTo: string
}

export type Step = Request | MailStep

export interface Conversation {
  readonly name: string
  readonly steps: readonly Step[]
}

export interface Exchange {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** Parsed JSON, else text; an empty string without a body. */
  readonly body: unknown
}

export type Variables = Map<string, string>

type Options = Omit<Request, 'method' | 'path' | 'body'>

export const head = (path: string, options: Options = {}): Request => ({ method: 'HEAD', path, ...options })

export const get = (path: string, options: Options = {}): Request => ({ method: 'GET', path, ...options })

export const post = (path: string, body?: unknown, options: Options = {}): Request => ({
  method: 'POST',
  path,
  body,
  ...options,
})

export const put = (path: string, body?: unknown, options: Options = {}): Request => ({
  method: 'PUT',
  path,
  body,
  ...options,
})

export const patch = (path: string, body?: unknown, options: Options = {}): Request => ({
  method: 'PATCH',
  path,
  body,
  ...options,
})

export const del = (path: string, body?: unknown, options: Options = {}): Request => ({
  method: 'DELETE',
  path,
  body,
  ...options,
})

export const mailTo = (address: string): MailStep => ({ mailTo: address })

/**
 * Replaces the variables in all strings of a value; `{{totp:name}}` is the code of the secret in `name`, and
 * `{{base64:text}}` the text in base64, after the variables in it.
 */
export function fill(value: unknown, variables: Variables, now: number): unknown {
  if (typeof value === 'string') return fillText(value, variables, now)
  if (Array.isArray(value)) return value.map(item => fill(item, variables, now))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, variables, now)]))
}

export function fillText(text: string, variables: Variables, now: number): string {
  const filled = text.replaceAll(
    /\{\{(?:(totp):)?(\w+)\}\}/g,
    (_, totp: string | undefined, name: string) => {
      // A response without the value is already reported as a difference.
      const value = variables.get(name)
      if (value === undefined) return `missing-${name}`
      return totp ? codeOf(value, now) : value
    },
  )
  return filled.replaceAll(/\{\{base64:([^}]*)\}\}/g, (_, value: string) =>
    Buffer.from(value).toString('base64'),
  )
}

/**
 * Sets the variables that a request saves from its response.
 * @param base the URL before the paths of conversations
 */
export function save(
  { save: wanted = {} }: Request,
  exchange: Exchange,
  variables: Variables,
  base: string,
): void {
  const { location = '' } = exchange.headers
  for (const [name, place] of Object.entries(wanted)) {
    const value = place.startsWith('location:')
      ? parameterOf(location, place.slice('location:'.length))
      : place === 'location'
        ? URL.parse(location, base)?.href.replace(base, '')
        : place.split('.').reduce<unknown>((part, key) => partOf(part, key), exchange.body)
    if (typeof value === 'string') variables.set(name, value)
    else variables.delete(name)
  }
}

function partOf(value: unknown, key: string): unknown {
  return Array.isArray(value) ? value[Number(key)] : fieldOf(value, key)
}

/** A parameter in the query or the fragment of a URL. */
function parameterOf(location: string, name: string): string | undefined {
  const url = URL.parse(location, 'http://relative.invalid')
  if (!url) return undefined
  return url.searchParams.get(name) ?? new URLSearchParams(url.hash.slice(1)).get(name) ?? undefined
}

/** Signs claims with HS256, as the keys of a local stack are signed. */
export function signToken(claims: Readonly<Record<string, unknown>>, secret: string): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}
