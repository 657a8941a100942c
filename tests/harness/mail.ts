// Tools of the email tests: a clock to move, links to follow, clients of both flows.
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { Backend } from '../../backend/index.ts'
import type { Mail } from '../../backend/inbox/store.ts'

/** A clock that starts at the machine's time and only advances by hand. */
export function movableClock(): { now(): number; advance(seconds: number): void } {
  let now = Date.now()
  return {
    now: () => now,
    advance(seconds) {
      now += seconds * 1_000
    },
  }
}

/** The official client with the PKCE flow, and its own storage for the verifier. */
export function pkceClient(backend: Pick<Backend, 'url' | 'publishableKey'>): SupabaseClient {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
  return createClient(backend.url, backend.publishableKey, {
    auth: { flowType: 'pkce', storage, autoRefreshToken: false, detectSessionInUrl: false },
  })
}

/** The newest email to an address. */
export function mailTo(backend: Backend, address: string): Mail {
  const [mail] = backend.inbox.messages(address)
  if (!mail) throw new Error(`No email was sent to ${address}.`)
  return mail
}

let count = 0

/** An unused address. */
export function newAddress(name = 'newcomer'): string {
  count += 1
  return `${name}-${count}@harbour.test`
}

/** The target of a followed link. */
export interface Landing {
  readonly status: number
  readonly page: string
  readonly query: Record<string, string>
  readonly hash: Record<string, string>
}

/** Follows a link as a browser does, but does not load the target. */
export async function follow(link: string | undefined): Promise<Landing> {
  if (link === undefined) throw new Error('The email has no link.')
  const response = await fetch(link, { redirect: 'manual' })
  const address = response.headers.get('location') ?? ''
  const [rest = '', hash = ''] = address.split('#')
  const [page = '', query = ''] = rest.split('?')
  return { status: response.status, page, query: fieldsOf(query), hash: fieldsOf(hash) }
}

function fieldsOf(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}
