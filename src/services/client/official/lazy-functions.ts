// `supabase.functions` before its official code has loaded, which the first call does.
import { RequestError } from '../../runtime/index.ts'
import { unloaded } from '../auth/supabase-auth.ts'
import { follow, type OfficialClient, plainError, withCalls } from './official-calls.ts'

/** @param headers those of the client: a token for functions is one for all of them, as in the official client */
export function createLazyFunctions(url: string, headers: Record<string, string>, official: OfficialClient) {
  const overrides = {
    url,
    headers,
    region: 'any',
    setAuth(token: string) {
      overrides.headers['Authorization'] = `Bearer ${token}`
    },
  }
  return withCalls(overrides, async steps => {
    const settings = { url: overrides.url, headers: { ...overrides.headers }, region: overrides.region }
    const client = await official()
    if (client) return follow(Object.assign(client.functions, settings), 'supabase.functions', steps)
    const error = plainError(unloaded, { name: 'FunctionsFetchError', context: new RequestError(unloaded) })
    return { data: null, error, response: undefined }
  })
}
