// The Content-Security-Policy of the built app: it may load only its own files, and may connect to any host.

/**
 * Hashes of the style sheets that libraries inject into the page; all other inline styles are refused. The
 * browser's violation message contains the hash of what it refused.
 */
const LIBRARY_STYLES = [
  // sonner: its toast styles, injected into an element that is empty at first.
  'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY=',
  'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  // react-aria: touch behavior of pressable elements, ...
  'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o=',
  // ... and scrolling behind open overlays on iOS.
  'sha256-gYiS/BvZvRcK27JIXTuwhZ3hs2+VJ1X+2gUlE+farlg=',
]

const SELF = "'self'"
/**
 * The user may connect to any host. Its responses are only used as bytes, never displayed directly from the
 * host.
 */
const ANY_HOST = ['https:', 'http:']

const DIRECTIVES: Readonly<Record<string, readonly string[]>> = {
  'default-src': ["'none'"],
  'script-src': [SELF],
  'style-src': [SELF, ...LIBRARY_STYLES.map(hash => `'${hash}'`)],
  'worker-src': [SELF],
  'manifest-src': [SELF],
  'font-src': [SELF],
  'connect-src': [SELF, 'blob:', ...ANY_HOST, 'wss:', 'ws:'],
  'img-src': [SELF, 'blob:', 'data:'],
  'media-src': [SELF, 'blob:'],
  // Documents; a link in one cannot navigate the page.
  'frame-src': ['blob:'],
  'object-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': [SELF],
}

const written = (directives: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ')

/**
 * For a page whose origin also stores files of other users: scripts among those files are not allowed to run.
 * @param origin of the page
 */
export const policyBeside = (origin: string): string => headerPolicy([`${origin}/assets/`])

function headerPolicy(scripts: readonly string[]): string {
  return written({
    ...DIRECTIVES,
    'script-src': scripts,
    'worker-src': scripts,
    'frame-ancestors': ["'none'"],
  })
}

/** For a `<meta>` tag in the page, which applies wherever the page is served from. */
export const META_POLICY = written(DIRECTIVES)

/**
 * Headers that a server sends with each page. The policy header also says who may frame the page, which
 * `<meta>` cannot.
 */
export const SITE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': headerPolicy([SELF]),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
}
