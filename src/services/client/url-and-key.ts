// Checks the URL and the key of a client. Errors name what to type instead, and contain neither the URL nor the key.
import {
  type AddressForm,
  API_PATH,
  isSecretKind,
  isToken,
  jwtClaims,
  keyKind,
  parseUrl,
  projectOf,
  readAddress,
  settingValue,
} from '../runtime/index.ts'

const EXAMPLE = 'e.g. https://example.supabase.co'
const VARIABLE =
  'If it is in an environment variable, check the name and the prefix that your bundler needs, such as VITE_ or NEXT_PUBLIC_.'

/** What was given instead of a URL; a form without an entry has no such URL. */
const FORMS: Readonly<Record<Exclude<AddressForm, 'url'>, string>> = {
  path: 'the URL of one API',
  dashboard: 'a page of the dashboard',
  project: 'a project reference',
  database: 'a database URL',
  studio: 'the URL of Studio',
  socket: 'a WebSocket URL',
  setting: 'in quotes or a line of settings',
}

/** In JavaScript, a template turns unset variables into these texts. */
const isUnset = (value: string | null | undefined): value is null | undefined =>
  /^(?:undefined|null|)$/.test(String(value).trim())

/** Returns the base URL, without a trailing slash. @throws TypeError for a wrong URL or key */
export function checkedUrl(text: string, key: string): string {
  if (isUnset(text))
    throw new TypeError(`\`url\` is not set. Pass the URL of your backend, ${EXAMPLE}. ${VARIABLE}`)
  const url = text.trim()
  if (isToken(url))
    throw new TypeError(
      isHttp(parseUrl(key))
        ? '`url` and `key` are swapped: call createChartroomClient(url, key).'
        : '`url` is a key. Pass the URL of your backend first.',
    )
  const parsed = parseUrl(url)
  if (!isHttp(parsed)) throw new TypeError(noHttp(url))
  const problem = wrongPage(url, parsed)
  if (problem !== undefined) throw new TypeError(`\`url\` is ${problem}`)
  checkPublicKey(key)
  return (parsed.origin + parsed.pathname).replace(/(?<!\/)\/+$/, '')
}

const isHttp = (url: URL | undefined): url is URL => url !== undefined && /^https?:$/.test(url.protocol)

const instead = (form: string, url: string): string => `${form}. Use "${url}".`

function noHttp(url: string): string {
  const address = readAddress(url)
  if (address) {
    const { form, url: base } = address
    return `\`url\` is ${instead(form === 'url' || base.endsWith(url) ? `without ${base.split('//')[0]}//` : FORMS[form], base)}`
  }
  return /^postgres/i.test(url)
    ? `\`url\` is a database URL. Pass the http(s) URL of the backend, ${EXAMPLE}.`
    : `\`url\` must be the http(s) URL of a backend, ${EXAMPLE}.`
}

/** Describes a page that is no backend, and what to use instead; undefined for any other URL. */
function wrongPage(url: string, { hostname, pathname }: URL): string | undefined {
  const address = readAddress(url)
  if (address?.form === 'dashboard') return instead(FORMS.dashboard, address.url)
  // A backend may have a port that is Studio's elsewhere.
  if (address?.form !== 'path') return undefined
  if (/^(?:app\.|www\.)?supabase\.(?:com|io)$/.test(hostname))
    return `a page of the dashboard. Copy the project URL from there, ${EXAMPLE}.`
  const project = projectOf(url)
  if (project !== undefined && hostname === `${project}.supabase.com`)
    return instead('on another domain than projects', address.url)
  // Other backends may be in a folder of their host. Projects once had other domains.
  const isOwn = project === undefined || (hostname.startsWith(`${project}.supabase.`) && pathname === '/')
  return isOwn && !API_PATH.test(pathname) ? undefined : instead(FORMS.path, address.url)
}

/** @throws TypeError for what cannot be a key, and in browsers for a secret one */
export function checkPublicKey(publicKey: string): void {
  if (isUnset(publicKey))
    throw new TypeError(
      `\`key\` is not set. Pass the publishable key of your backend (sb_publishable_…, or a legacy anon key). ${VARIABLE}`,
    )
  const key = publicKey.trim()
  if (isHttp(parseUrl(key))) throw new TypeError('`key` is a URL. Pass the publishable key of your backend.')
  if (isJwtSecret(key))
    throw new TypeError(
      '`key` is the JWT secret, which must never be in an app. Pass the publishable key (sb_publishable_…) or the anon key.',
    )
  if (isWrapped(key))
    throw new TypeError(
      '`key` must be the key alone: remove quotes, "Bearer" and the name of the environment variable.',
    )
  const kind = keyKind(key)
  if (isSecretKind(kind) && globalThis.document)
    throw new TypeError(
      'A secret key bypasses every policy and must not be in a browser. Use the publishable key.',
    )
  if (kind === 'management')
    throw new TypeError(
      '`key` is an access token of your Supabase account, which opens every project of it. Pass the publishable key of one.',
    )
  // A token of an own role, without a user, may be the key of a backend.
  if (kind === 'session' && jwtClaims(key)?.['sub'] !== undefined)
    throw new TypeError(
      '`key` is the access token of a user. Pass the publishable key, and `accessToken` for tokens of another auth service.',
    )
}

/** The secret of the local stack, or 64 random bytes, as projects have. */
const isJwtSecret = (key: string): boolean =>
  /^(?:super-secret-jwt-token-with-at-least-32-characters-long|[A-Za-z0-9+/]{86}==)$/.test(key)

function isWrapped(key: string): boolean {
  if (/^(?:["'`]|bearer\s)/i.test(key)) return true
  const value = settingValue(key)
  return value !== key && keyKind(key) === 'unknown' && keyKind(value) !== 'unknown'
}
