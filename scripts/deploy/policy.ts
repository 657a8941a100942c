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
/** Whichever host somebody connects to is asked; of what it answers nothing is shown from there, only as bytes. */
const ANY_HOST = ['https:', 'http:']

const DIRECTIVES: Readonly<Record<string, readonly string[]>> = {
  'default-src': ["'none'"],
  'script-src': [OWN],
  'style-src': [OWN, ...LIBRARY_STYLES.map(hash => `'${hash}'`)],
  'worker-src': [OWN],
  'manifest-src': [OWN],
  'font-src': [OWN],
  'connect-src': [OWN, 'blob:', ...ANY_HOST, 'wss:', 'ws:'],
  'img-src': [OWN, 'blob:', 'data:'],
  'media-src': [OWN, 'blob:'],
  // Documents; a link in one leads nowhere inside of the page.
  'frame-src': ['blob:'],
  'object-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': [OWN],
}

const written = (directives: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ')

/**
 * For a page whose host also keeps files of strangers: a script among them is none of the app's.
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

/** For a `<meta>` in the page, which holds wherever the page is served from. */
export const META_POLICY = written(DIRECTIVES)

/** What a server sends with each page beside the policy, which as a header also says who may frame it. */
export const SITE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': headerPolicy([OWN]),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
}
