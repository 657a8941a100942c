// The logbook: sign in, read and write the log, and see other tabs' entries immediately.
import { createChartroomClient, type ChannelHandle, type SessionStorage } from 'chartroom'
import type { Account, Database, Screen } from './database.ts'

const CHANGES = { event: '*', schema: 'public', table: 'log_entries' } as const

export function openLogbook(url: string, key: string, storage: SessionStorage, screen: Screen) {
  const client = createChartroomClient<Database>({ url, key, auth: { storage } })
  const { supabase } = client

  const load = async () => {
    const { data, error } = await supabase.from('log_entries').select('id, note').order('id')
    if (error) screen.showProblem(error.message)
    else screen.showEntries(data)
  }

  let channel: ChannelHandle | undefined
  const follow = () => {
    channel = client.channel('logbook', { postgresChanges: [CHANGES], resync: load })
    channel.on('change', () => void load())
  }
  const unfollow = () => {
    channel?.leave()
    channel = undefined
  }

  let known: string | undefined
  const stop = client.onStatus(({ session }) => {
    if (session.phase === known) return
    known = session.phase
    if (session.phase === 'authenticated') follow()
    if (session.phase !== 'signedOut') return
    unfollow()
    screen.showSignedOut(session.reason)
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
      stop()
      await client.dispose()
    },
  }
}
