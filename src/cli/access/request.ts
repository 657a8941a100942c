// Requests to the reviewed backend.
import { type AccessAnswer, AccessError } from '../../services/access/index.ts'
import { reasonOf } from '../command.ts'

const TIMEOUT_MS = 30_000

/** Keys of the new format are no JWT, and are accepted as `apikey` only. */
export const keyHeaders = (key: string): Record<string, string> => ({
  apikey: key,
  ...(key.startsWith('sb_') ? {} : { authorization: `Bearer ${key}` }),
})

export const bearer = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` }

/** Sends a request; redirects are refused, so that no credentials reach another host. @throws AccessError */
export async function ask(
  { url }: { readonly url: string },
  path: string,
  { signal, ...init }: RequestInit,
): Promise<AccessAnswer> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const response = await fetch(url + path, {
      ...init,
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    return {
      status: response.status,
      text: await response.text(),
      header: name => response.headers.get(name),
    }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    throw new AccessError(`${url} can't be reached: ${reasonOf(cause)}.`)
  }
}
