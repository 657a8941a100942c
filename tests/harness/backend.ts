// Starts an embedded backend for a test file and stops it afterwards.
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { startBackend, type Backend, type BackendOptions } from '../../backend/index.ts'
import { atFileEnd } from './endings.ts'
import { receiveMails } from './other-auth.ts'

/** Passwords that are cheap to check; the default cost has its own tests. */
export const CHEAP = { passwordCost: 4 } as const

/** A backend in memory on a free port by default; stopped when the test file ends. */
export async function startTestBackend(options: Partial<BackendOptions> = {}): Promise<Backend> {
  // A project has its own settings.
  const auth = options.project === undefined ? { auth: { ...CHEAP, ...options.auth } } : {}
  // Tables that a test creates by SQL need no GRANT.
  const isForSql = options.project === undefined && options.databaseAccess !== undefined
  const exposed = isForSql ? { autoExposeNewTables: true } : {}
  const backend = await startBackend({ data: 'memory', ...exposed, ...options, ...auth })
  atFileEnd(() => backend.stop())
  await receiveMails(backend)
  return backend
}

/** The official client, without background timers and shared storage. */
export function officialClient(
  backend: Pick<Backend, 'url' | 'publishableKey'>,
  key?: string,
): SupabaseClient {
  return createClient(backend.url, key ?? backend.publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    db: { retry: false },
  })
}

/** The official client, signed in as a demo account; `who` is the part before the @. */
export async function signedIn(backend: Backend, who: 'skipper' | 'mate'): Promise<SupabaseClient> {
  const client = officialClient(backend)
  const account = backend.accounts.find(({ email }) => email.startsWith(`${who}@`))
  if (!account) throw new Error(`There is no account ${who}.`)
  const { error } = await client.auth.signInWithPassword(account)
  if (error) throw error
  await client.realtime.setAuth()
  return client
}
