// What the built app may load and do, as a Content-Security-Policy: its own files alone, and answers of any host.

/**
 * Style sheets that libraries put into the page themselves, by what is in them; anything else inline is refused.
 * The browser's message of a refusal has the hash of what it refused.
 */
const LIBRARY_STYLES = [
  // sonner: the look of its toasts, put into an element that is empty at first.
  'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY=',
  'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  // react-aria: touches of what can be pressed, ...
  'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o=',
  // ... and scrolling behind what is open on iOS.
  'sha256-gYiS/BvZvRcK27JIXTuwhZ3hs2+VJ1X+2gUlE+farlg=',
]

const OWN = "'self'"
/** Files of a host are shown from where they are, which may be any host that somebody connects to. */
const ANY_HOST = ['https:', 'http:']

const DIRECTIVES: Readonly<Record<string, readonly string[]>> = {
  'default-src': ["'none'"],
  'script-src': [OWN],
  'style-src': [OWN, ...LIBRARY_STYLES.map(hash => `'${hash}'`)],
  'worker-src': [OWN],
  'manifest-src': [OWN],
  'font-src': [OWN],
  'connect-src': [OWN, 'blob:', ...ANY_HOST, 'wss:', 'ws:'],
  'img-src': [OWN, 'blob:', 'data:', ...ANY_HOST],
  'media-src': [OWN, 'blob:', ...ANY_HOST],
  'frame-src': ['blob:', ...ANY_HOST],
  'object-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': [OWN],
}

const written = (directives: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ')

/** For a `<meta>` in the page, which holds wherever the page is served from. */
export const META_POLICY = written(DIRECTIVES)

/** What a server sends with each page beside the policy, which as a header also says who may frame it. */
export const SITE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': written({ ...DIRECTIVES, 'frame-ancestors': ["'none'"] }),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
}
