// What `supabase.auth` uses of a client.
import type { AuthFacadeHost } from '../../src/services/client/auth/supabase-auth-facade.ts'
import { createClientCore } from '../../src/services/client/lazy-core.ts'
import { signIn } from './client.ts'
import { atTestEnd } from './endings.ts'
import { fakeBackend, KEY, URL_BASE } from './fake-backend.ts'

/** Of a client where every password is right. */
export function hostOf(options: { readonly throwOnError?: boolean } = {}): AuthFacadeHost {
  const { fetch } = fakeBackend(signIn)
  const core = createClientCore({ url: URL_BASE, key: KEY, global: { fetch }, auth: options })
  atTestEnd(() => core.client.dispose())
  return core.supabase[0]
}
