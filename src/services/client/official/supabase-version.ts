// Whether the app's supabase-js is new enough. Package managers other than npm only warn if it is not.
import { createClient } from '@supabase/supabase-js'
import { noSocket } from '../realtime/supabase-channel-facade.ts'

/** Options of a client that holds no session and opens no socket. */
export const WITHOUT_SESSION = {
  // With null, every call carries the API key, which the request actor replaces by the user's token.
  accessToken: () => Promise.resolve(null),
  realtime: { transport: noSocket },
}

/** For versions that do not have the option `accessToken`. */
const auth = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false }

/** The result of the check; undefined before it. */
let refusal: string | null | undefined

/** @throws TypeError if the app's supabase-js is too old */
export function checkVersion(): void {
  if (refusal === undefined) {
    // Supabase-js exports its version nowhere, but clients introduce themselves with it.
    const client: object = createClient('http://localhost', 'none', { ...WITHOUT_SESSION, auth })
    refusal = refusalOf((client as Introduced).headers?.['X-Client-Info'])
  }
  if (refusal !== null) throw new TypeError(refusal)
}

interface Introduced {
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Returns why Chartroom cannot work with this supabase-js, or null if it can. One without a version is assumed to be
 * new.
 * @param info e.g. `supabase-js-web/2.58.0`
 */
export function refusalOf(info = ''): string | null {
  const [, version = '', major, minor] = /\/((\d+)\.(\d+)[^\s;]*)/.exec(info) ?? []
  const isOld = major === '1' || (major === '2' && Number(minor) < 100)
  return isOld
    ? `Chartroom needs @supabase/supabase-js 2.100 or newer, but the app has ${version}: npm install @supabase/supabase-js@latest`
    : null
}
