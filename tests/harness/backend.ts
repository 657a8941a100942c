// Starts an embedded backend for a test file and stops it afterwards.
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { startBackend, type Backend, type BackendOptions } from '../../backend/index.ts'
import { atFileEnd } from './endings.ts'
import { receiveMails } from './other-auth.ts'
import { isShareable, takeBackend } from './shared-backend.ts'

/** Passwords that are cheap to check; the default cost has its own tests. */
export const CHEAP = { passwordCost: 4 } as const

/**
 * A backend in memory on a free port by default. Until the file ends, no other one uses it; files with equal options
 * then get the same one, as if it were new.
 */
export async function startTestBackend(options: Partial<BackendOptions> = {}): Promise<Backend> {
  const all = withDefaults(options)
  if (!isShareable(all)) return startOwnBackend(options)
  return takeBackend({ autoExposeNewTables: true, ...all })
}

/** A backend that no other file gets: for tests that damage it, or need it at its start. Stopped when the file ends. */
export async function startOwnBackend(options: Partial<BackendOptions> = {}): Promise<Backend> {
  const backend = await startBackend(withDefaults(options))
  atFileEnd(() => backend.stop())
  await receiveMails(backend)
  return backend
}

function withDefaults(options: Partial<BackendOptions>): BackendOptions {
  // A project has its own settings.
  const auth = options.project === undefined ? { auth: { ...CHEAP, ...options.auth } } : {}
  // Tables that a test creates by SQL need no GRANT.
  const isForSql = options.project === undefined && options.databaseAccess !== undefined
  const exposed = isForSql ? { autoExposeNewTables: true } : {}
  return { data: 'memory', ...exposed, ...options, ...auth }
}

/** The official client, without background timers and shared storage. */
export function officialClient(
  backend: Pick<Backend, 'url' | 'publishableKey'>,
  key?: string,
): SupabaseClient {
  const client = createClient(backend.url, key ?? backend.publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    db: { retry: false },
  })
  // The backend may stay.
  atFileEnd(() => client.realtime.disconnect())
  return client
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
