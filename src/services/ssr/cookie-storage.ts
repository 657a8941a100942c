// The session in cookies, exactly as @supabase/ssr writes them, so that servers read it with each request.
import {
  type CookieMethodsBrowser,
  type CookieMethodsServerDeprecated,
  type CookieOptionsWithName,
  createChunks,
  DEFAULT_COOKIE_OPTIONS,
  isChunkLike,
  parseCookieHeader,
  serializeCookieHeader,
  stringFromBase64URL,
  stringToBase64URL,
} from '@supabase/ssr'
import { isSendable, type SessionStorage } from '../runtime/index.ts'

/** Options of `createCookieStorage`; give `createServerClient` the same. */
export interface CookieStorageOptions {
  /** `domain`, `path`, `sameSite`, `secure` and others of @supabase/ssr. The storage key belongs to the client. */
  readonly cookieOptions?: Omit<CookieOptionsWithName, 'name'>
  /** Defaults to `base64url`, like @supabase/ssr. Both are read. */
  readonly cookieEncoding?: 'raw' | 'base64url'
  /** Another place for cookies than `document.cookie`. */
  readonly cookies?: CookieMethods
}

/** Reads cookies, at least those in which the value of `key` may be, and writes some. */
export interface CookieAccess {
  readonly getAll: (key: string) => ReturnType<CookieMethods['getAll']>
  readonly setAll: CookieMethods['setAll']
}

type CookieMethods = Required<Pick<CookieMethodsBrowser, 'getAll' | 'setAll'>>

/** As many chunks of a value as @supabase/ssr looks for where cookies can't be listed. */
const UNLISTED_CHUNKS = 5

/** The cookies of a key, read one by one. */
export async function readCookies(
  { get }: Pick<CookieMethodsServerDeprecated, 'get'>,
  key: string,
): Promise<Pick<Cookie, 'name' | 'value'>[]> {
  const cookies: Pick<Cookie, 'name' | 'value'>[] = []
  for (const name of [key, ...Array.from({ length: UNLISTED_CHUNKS }, (_, at) => `${key}.${at}`)]) {
    const value = await get(name)
    if (typeof value === 'string') cookies.push({ name, value })
  }
  return cookies
}

/** The key whose value, or a chunk of it, the cookie with this name has. */
export const keyOf = (name: string): string => name.replace(/\.\d+$/, '')

/** The cookies without those of sessions whose token could not be sent. */
export function withoutUnsendable<C extends Pick<Cookie, 'name' | 'value'>>(cookies: readonly C[]): C[] {
  const keys = new Set(cookies.map(({ name }) => keyOf(name)))
  const unsendable = [...keys].filter(key => hasUnsendable(joined(key, cookies)))
  return cookies.filter(({ name }) => !unsendable.some(key => isChunkLike(name, key)))
}

function hasUnsendable(text: string | null): boolean {
  try {
    const session: unknown = text === null ? null : JSON.parse(text)
    if (typeof session !== 'object' || session === null || !('access_token' in session)) return false
    return !isSendable(session.access_token)
  } catch {
    return false
  }
}

type Cookie = Parameters<Required<CookieMethodsBrowser>['setAll']>[0][number]

const PREFIX = 'base64-'
/** The longest time that browsers keep a cookie. */
const { maxAge = 0 } = DEFAULT_COOKIE_OPTIONS
const FOR_LONG = { maxAge }

/**
 * Storage in cookies for `createChartroomClient(url, key, { auth: { storage, flowType: 'pkce' } })` in a
 * browser. A session is shared with @supabase/ssr on server and page, in both directions. Without a page, as
 * in a render on the server, it is empty and refuses writes.
 */
export function createCookieStorage(options: CookieStorageOptions = {}): SessionStorage {
  return storageIn(options.cookies ?? pageCookies, options)
}

/** The storage over any access to cookies. */
export function storageIn(
  cookies: CookieAccess,
  { cookieOptions, cookieEncoding = 'base64url' }: Omit<CookieStorageOptions, 'cookies'>,
): SessionStorage {
  const set = { ...DEFAULT_COOKIE_OPTIONS, ...cookieOptions, ...FOR_LONG }
  const removed = ({ domain, ...rest }: typeof set): readonly Cookie['options'][] => [
    // Cookies from before a domain was configured belong to the host alone.
    ...(domain === undefined ? [] : [{ ...rest, maxAge: 0 }]),
    { ...rest, ...(domain !== undefined && { domain }), maxAge: 0 },
  ]
  const write = (
    key: string,
    chunks: readonly Pick<Cookie, 'name' | 'value'>[],
    names: readonly string[],
  ) => {
    const stale = names.filter(name => isChunkLike(name, key) && !chunks.some(chunk => chunk.name === name))
    const all: Cookie[] = [
      ...removed(set).flatMap(scope => stale.map(name => ({ name, value: '', options: scope }))),
      ...chunks.map(chunk => ({ ...chunk, options: set })),
    ]
    return all.length > 0 ? cookies.setAll(all, {}) : undefined
  }
  const namedCookies = (key: string, chunks: readonly Pick<Cookie, 'name' | 'value'>[] = []) =>
    andThen(cookies.getAll(key), all =>
      write(
        key,
        chunks,
        (all ?? []).map(({ name }) => name),
      ),
    )
  return {
    getItem: key => andThen(cookies.getAll(key), all => joined(key, all ?? [])),
    setItem: (key, value) =>
      namedCookies(
        key,
        createChunks(key, cookieEncoding === 'raw' ? value : PREFIX + stringToBase64URL(value)),
      ),
    removeItem: key => namedCookies(key),
  }
}

/** Continues at once with a value that is there, since another tab could write in between. */
const andThen = <From, To>(value: From | Promise<From>, read: (value: From) => To | Promise<To>) =>
  value instanceof Promise ? value.then(read) : read(value)

/** The value of a key: one cookie, or chunks that are numbered from 0. */
function joined(key: string, cookies: readonly Pick<Cookie, 'name' | 'value'>[]): string | null {
  const values = new Map(cookies.map(({ name, value }) => [name, value]))
  let text = values.get(key) ?? ''
  if (text === '') for (let at = 0; values.get(`${key}.${at}`); at++) text += values.get(`${key}.${at}`) ?? ''
  if (!text.startsWith(PREFIX)) return text === '' ? null : text
  try {
    const value = stringFromBase64URL(text.slice(PREFIX.length))
    JSON.parse(value)
    return value
  } catch {
    // Chunks of two writes are mixed; @supabase/ssr ignores such a value, too.
    return null
  }
}

export const pageCookies: CookieMethods = {
  getAll: () => (globalThis.document === undefined ? [] : parseCookieHeader(document.cookie)),
  setAll(cookies) {
    if (globalThis.document === undefined)
      throw new Error('Cookies can only be set in a page. On a server, use `createServerClient` per request.')
    for (const { name, value, options } of cookies)
      document.cookie = serializeCookieHeader(name, value, options)
  },
}
