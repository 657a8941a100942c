// Loads the trace named in the address of the console page, from the same site only.

/** The parameter of the address. */
const PARAM = 'trace'

/** @returns the address of the trace; undefined if none is named. @throws Error if it is on another site */
export function traceAddress(page: string): URL | undefined {
  const { origin, protocol, searchParams } = new URL(page)
  const text = searchParams.get(PARAM)
  if (text === null || text === '') return undefined
  const address = URL.canParse(text, page) ? new URL(text, page) : undefined
  // A blob has the origin of the page that made it.
  if (address?.origin !== origin || address.protocol !== protocol)
    throw new Error(
      `The trace "${text}" is not on this site. Only traces from ${origin} are loaded; download it and open the file.`,
    )
  return address
}

/**
 * Downloads a trace. Whether the file is a trace is left to the console, which says what is wrong with it.
 * @throws Error with a reason that can be shown
 */
export async function loadTrace(address: URL, load: typeof fetch = fetch): Promise<File> {
  const name = decodeURIComponent(address.pathname.split('/').at(-1) ?? '')
  const response = await load(address, { redirect: 'error' }).catch(() => undefined)
  if (!response)
    throw new Error(
      `${name} could not be loaded: the server did not respond, or redirected to another address.`,
    )
  if (!response.ok) throw new Error(`${name} could not be loaded: the server responded ${response.status}.`)
  return new File([await response.blob()], name)
}
