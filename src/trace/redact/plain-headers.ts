// Headers without secrets.

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
