// The logbook: sign in, read and write the log, and see other tabs' entries immediately.
import { createClient, type RealtimeChannel, type SupportedStorage } from '@supabase/supabase-js'
import type { Account, Database, Screen } from './database.ts'

const CHANGES = { event: '*', schema: 'public', table: 'log_entries' } as const

export function openLogbook(url: string, key: string, storage: SupportedStorage, screen: Screen) {
  const supabase = createClient<Database>(url, key, { auth: { storage } })

  const load = async () => {
    // With an expired token that can't be refreshed, the query would be sent anonymously and find no rows.
    const { data: auth } = await supabase.auth.getSession()
    if (!auth.session) return screen.showSignedOut('unknown')
    const { data, error } = await supabase.from('log_entries').select('id, note').order('id')
    if (error) screen.showProblem(error.message)
    else screen.showEntries(data)
  }

  let channel: RealtimeChannel | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  const follow = async () => {
    // A join that is sent before the token is known sees no rows, and this is never corrected.
    await supabase.realtime.setAuth()
    channel = supabase
      .channel('logbook')
      .on('postgres_changes', CHANGES, () => void load())
      .subscribe((status: string) => {
        // Changes in the meantime were not reported.
        if (status === 'SUBSCRIBED') void load()
        // A refused or closed channel may stay closed, so it is removed and created again.
        if (status === 'CHANNEL_ERROR' || status === 'TIMED_OUT' || status === 'CLOSED') again()
      })
  }
  const unfollow = async () => {
    clearTimeout(retry)
    const last = channel
    channel = undefined
    if (last) await supabase.removeChannel(last)
  }
  const again = () => {
    if (!channel) return
    clearTimeout(retry)
    retry = setTimeout(() => void unfollow().then(follow), 5_000)
  }

  const { data: listener } = supabase.auth.onAuthStateChange(event => {
    // Awaiting the client inside this callback would deadlock, so everything is deferred.
    setTimeout(() => {
      if (event === 'SIGNED_IN' && !channel) void follow()
      if (event !== 'SIGNED_OUT') return
      void unfollow()
      screen.showSignedOut('unknown')
    }, 0)
  })

  return {
    async signIn(account: Account) {
      const { error } = await supabase.auth.signInWithPassword(account)
      if (error) screen.showProblem(error.message)
    },
    async add(note: string) {
      const { error } = await supabase.from('log_entries').insert({ note })
      if (error) screen.showProblem(error.message)
    },
    async signOut() {
      await supabase.auth.signOut({ scope: 'local' })
    },
    async close() {
      listener.subscription.unsubscribe()
      await unfollow()
      await supabase.auth.stopAutoRefresh()
      await supabase.realtime.disconnect()
    },
  }
}
