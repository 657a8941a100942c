// Where a link may lead: the site itself, loopback addresses and what the allow-list names.
import { compileGlob } from './glob.ts'

/** The settings that say where a link may lead. */
export interface RedirectSettings {
  readonly siteUrl: string
  /** Addresses, with or without wildcards. */
  readonly redirectUrls: readonly string[]
}

/** The wanted address where it is allowed, else the site's. */
export function allowRedirect(settings: RedirectSettings, wanted: string | null | undefined): string {
  return isAllowedRedirect(settings, wanted) ? wanted : settings.siteUrl
}

/** Where a request wants its user to end up: its `redirect_to`, else the page it came from, else the site. */
export function redirectOf(settings: RedirectSettings, request: Request): string {
  const asked = request.headers.get('redirect_to') || new URL(request.url).searchParams.get('redirect_to')
  if (isAllowedRedirect(settings, asked)) return asked
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
  // What the browser would read as another host than is written, an address in decimal for one, is not let through.
  if (isWeb(target) && host !== target.hostname && !host.startsWith('[')) return false
  if (isAddress(target.hostname)) return isLoopbackAddress(target.hostname)
  const withoutHash = wanted.split('#', 1)[0] ?? ''
  return settings.redirectUrls.some(pattern => compileGlob(pattern)(withoutHash))
}

/** Browsers drop or turn around these, so that two readers would see two addresses. */
const UNSAFE = /[\s\\\p{Cc}]/u

/** On loopback the port is free: native apps take the one they get (RFC 8252, section 7.3). */
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
