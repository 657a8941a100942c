// Headers with and without secrets.
import { secretName } from './secret-names.ts'

/** Headers whose values may be stored permanently; any other may contain a secret. */
const PLAIN_HEADERS: ReadonlySet<string> = new Set(
  (
    'accept accept-charset accept-encoding accept-language accept-profile cache-control content-encoding content-language ' +
    'content-length content-profile content-range content-type date if-modified-since if-none-match origin pragma prefer ' +
    'range user-agent x-client-info x-region x-request-id x-upsert'
  ).split(' '),
)

/** Whether the value of a header may be stored. */
export const isPlainHeader = (name: string): boolean => PLAIN_HEADERS.has(name.trim().toLowerCase())

/** Names that end like names of secrets. */
const PUBLIC_HEADERS = /^(?:x-)?(?:idempotency|surrogate|cache)-key$|^sec-websocket-|^www-authenticate$/

const SECRET_END =
  /(?:^|[-_])(?:key|token|secret|signature|sig|auth|credentials?|password|session|sid|cookie|jwt|code|otp)$/

/** What has the form of a credential in a header with an unknown name. */
const CREDENTIAL = /^(?=[^\s]*\d)(?=[^\s]*[A-Za-z])[\w.~+/=-]{24,}$/
const NO_CREDENTIAL = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$|^\d{4}-\d\d-\d\d|^00-[\da-f]{32}-/i
const ABOUT_CONTENT =
  /(?:^|-)(?:id|etag|hash|digest|version|trace|traceparent|match|location|link|host|policy|type|date|agent)$/

/** Whether the value of a header is a secret, by the name or by the form of the value. */
export function isHeaderSecret(name: string, value: string): boolean {
  const plain = name.trim().toLowerCase()
  if (isPlainHeader(plain) || PUBLIC_HEADERS.test(plain)) return false
  if (SECRET_END.test(plain) || secretName(plain) !== undefined) return true
  return !ABOUT_CONTENT.test(plain) && CREDENTIAL.test(value) && !NO_CREDENTIAL.test(value)
}
