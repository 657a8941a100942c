// Allowed redirect targets: the site itself, loopback addresses and the entries of the allow-list.
import { compileGlob } from './glob.ts'

/** The settings that define allowed redirects. */
export interface RedirectSettings {
  readonly siteUrl: string
  /** URLs, with or without wildcards. */
  readonly redirectUrls: readonly string[]
}

/** Returns the requested URL if it is allowed, else the site's. */
export function allowRedirect(settings: RedirectSettings, requested: string | null | undefined): string {
  return isAllowedRedirect(settings, requested) ? requested : settings.siteUrl
}

/** The redirect target of a request: its `redirect_to`, else the page it came from, else the site. */
export function redirectOf(settings: RedirectSettings, request: Request): string {
  const target = request.headers.get('redirect_to') || new URL(request.url).searchParams.get('redirect_to')
  if (isAllowedRedirect(settings, target)) return target
  return allowRedirect(settings, request.headers.get('referer'))
}

export function isAllowedRedirect(
  settings: RedirectSettings,
  wanted: string | null | undefined,
): wanted is string {
  if (!wanted || UNSAFE.test(wanted)) return false
  const site = URL.parse(settings.siteUrl)
  const target = URL.parse(wanted)
  if (!site || !target || target.username !== '' || target.password !== '') return false
  if (isSameSite(site, target)) return true
  const host = writtenHost(wanted)
  // Rejects hosts that the browser would interpret differently than written, such as a decimal IP address.
  if (isWeb(target) && host !== target.hostname && !host.startsWith('[')) return false
  if (isAddress(target.hostname)) return isLoopbackAddress(target.hostname)
  const withoutHash = wanted.split('#', 1)[0] ?? ''
  return settings.redirectUrls.some(pattern => compileGlob(pattern)(withoutHash))
}

/** Browsers drop or convert these characters, so that two parsers would see different addresses. */
const UNSAFE = /[\s\\\p{Cc}]/u

/** On loopback any port is allowed: native apps use the one they get (RFC 8252, section 7.3). */
function isSameSite(site: URL, target: URL): boolean {
  return (
    site.hostname !== '' &&
    site.hostname === target.hostname &&
    site.protocol === target.protocol &&
    (site.port === target.port || LOCAL.includes(site.hostname))
  )
}

const LOCAL = ['localhost', '127.0.0.1', '[::1]', '0.0.0.0', '[::]']

const isWeb = ({ protocol }: URL) => protocol === 'http:' || protocol === 'https:'

function writtenHost(address: string): string {
  return (/^[^:]+:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^:/?#]*)/u.exec(address)?.[1] ?? '').toLowerCase()
}

const isAddress = (host: string) => host.startsWith('[') || /^\d+(\.\d+){3}$/u.test(host)

const isLoopbackAddress = (host: string) => host === '[::1]' || host.startsWith('127.')
