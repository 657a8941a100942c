// Parses pasted text as the base URL of a backend.
import { parseUrl } from './platform.ts'

/** Kind of the pasted text. */
export type AddressForm =
  'url' | 'path' | 'dashboard' | 'project' | 'database' | 'studio' | 'socket' | 'setting'

export interface HostAddress {
  /** Without the path of an API and without trailing slash. */
  readonly url: string
  readonly form: AddressForm
}

const hosted = (ref: string) => `https://${ref}.supabase.co`

/** Ports of `supabase start`: its studio and database run next to its API. */
const LOCAL_API = '54321'
const LOCAL_OTHERS: Readonly<Record<string, AddressForm>> = { '54322': 'database', '54323': 'studio' }

/** Returns the value of a settings line such as `NEXT_PUBLIC_SUPABASE_URL="https://…"`. */
export const settingValue = (text: string): string => {
  const value = /^\s*(?:export\s+)?[A-Za-z_][\w.]*(?:\s*=|:\s)\s*(\S.*)$/.exec(text)?.[1] ?? text
  return value
    .trim()
    .replace(/^(["'`])(.*)\1[,;]?$/, '$2')
    .replace(/[,;]$/, '')
}

/** Returns the project reference in any URL of a hosted project. */
export const projectOf = (url: string): string | undefined =>
  /^(?:db\.)?([a-z]{20})\.(?:(?:storage|functions|realtime)\.)?supabase\.(?:co|com|in|red)$/.exec(
    parseUrl(url)?.hostname ?? '',
  )?.[1]

/** The path of an API of a backend; captures what precedes it. */
export const API_PATH = /^(.*?)\/(?:auth|functions|graphql|realtime|rest|storage)\/v1(?:\/|$)/

/** Treated as a URL, a token would be looked up by DNS, which would leak it. */
export const isToken = (text: string) => /^(?:bearer\s+)?(?:sb_[a-z]+_|sbp_|eyJ[\w-]*\.[\w-]+\.)/i.test(text)

/** Returns the base URL for a text; undefined if there is none. */
export function readAddress(typed: string): HostAddress | undefined {
  const text = settingValue(typed)
  if (isToken(text)) return undefined
  const isSetting = text !== typed.trim()
  if (/^[a-z]{20}$/.test(text)) return { url: hosted(text), form: 'project' }
  const found = fromDatabase(text) ?? fromDashboard(text) ?? fromUrl(text)
  return found && isSetting && found.form === 'url' ? { ...found, form: 'setting' } : found
}

function fromDatabase(text: string): HostAddress | undefined {
  if (!/^postgres(ql)?:\/\//i.test(text)) return undefined
  // URL parsing splits HTTP URLs into their parts, but not custom schemes.
  const parts = parseUrl(text.replace(/^postgres(ql)?:/i, 'http:'))
  if (!parts) return undefined
  const ref = projectOf(`http://${parts.hostname}`) ?? /\.([a-z]{20})$/.exec(parts.username)?.[1]
  if (ref !== undefined) return { url: hosted(ref), form: 'database' }
  return LOCAL_OTHERS[parts.port] === undefined
    ? undefined
    : { url: `http://${parts.hostname}:${LOCAL_API}`, form: 'database' }
}

function fromDashboard(text: string): HostAddress | undefined {
  const found =
    /^(?:https?:\/\/)?(?:app\.supabase\.(?:com|io)|(?:www\.)?supabase\.com\/dashboard)\/project\/([a-z]{20})(?:[/?#]|$)/.exec(
      text,
    )
  return found?.[1] === undefined ? undefined : { url: hosted(found[1]), form: 'dashboard' }
}

function fromUrl(text: string): HostAddress | undefined {
  const isSocket = /^wss?:\/\//i.test(text)
  const named = text.replace(/^ws(s?):\/\//i, 'http$1://')
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(named)
  const scheme = /^(localhost|[\d.]+|\[.*\])(:|\/|$)/.test(named) ? 'http' : 'https'
  const url = text === '' ? undefined : parseUrl(hasScheme ? named : `${scheme}://${named}`)
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '') return undefined
  const ref = projectOf(url.href)
  if (ref !== undefined && url.hostname !== `${ref}.supabase.co`)
    return { url: hosted(ref), form: url.hostname.startsWith('db.') ? 'database' : 'path' }
  const local = /^(localhost|127\.0\.0\.1)$/.test(url.hostname) ? LOCAL_OTHERS[url.port] : undefined
  if (local) return { url: `http://${url.hostname}:${LOCAL_API}`, form: local }
  // A bare word parses as a host; a plausible host has a dot or a port, or is this machine.
  const known = url.hostname.includes('.') || url.hostname.includes(':') || url.hostname === 'localhost'
  if (!known && url.port === '') return undefined
  const isBare = /^\/?$/.test(url.pathname) && url.search === '' && url.hash === ''
  const folder = API_PATH.exec(url.pathname)?.[1] ?? ''
  return { url: url.origin + folder, form: isSocket ? 'socket' : isBare ? 'url' : 'path' }
}
