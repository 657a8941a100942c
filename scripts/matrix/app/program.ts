// The test app without React: signs in, queries, joins a channel, and compares errors with the app's own classes.
// Reads the backend from the environment; prints one JSON line.
import assert from 'node:assert/strict'
import {
  AuthApiError,
  FunctionsHttpError,
  PostgrestError,
  REALTIME_SUBSCRIBE_STATES,
  type SupabaseClient,
} from '@supabase/supabase-js'
import { createChartroomClient } from 'chartroom'
import { recordEverything } from '@chartroom/devtools/recording'
import type { Database } from './database.ts'

const { BACKEND_URL: url = '', BACKEND_KEY: key = '' } = process.env
const done: string[] = []

const client = createChartroomClient<Database>({ url, key, recording: recordEverything() })
/** The app has one copy of supabase-js: its own type is the client's. */
const supabase: SupabaseClient<Database> = client.supabase

const { error: wrong } = await supabase.auth.signInWithPassword({ email: 'a@b.test', password: 'wrong' })
assert(wrong instanceof AuthApiError, `not an AuthApiError: ${String(wrong)}`)
done.push('auth error')

const email = `user-${crypto.randomUUID()}@matrix.test`
const { data: signedUp, error: refused } = await supabase.auth.signUp({ email, password: 'matrix-matrix' })
assert.equal(refused, null)
assert.equal(signedUp.user?.email, email)
assert.equal(client.status().session.phase, 'authenticated')
done.push('sign-up')

const { error: unknownColumn } = await supabase.from('log_entries').select('nothing')
assert(unknownColumn, 'a wrong query has no error')
await assert.rejects(
  async () => supabase.from('log_entries').select('nothing').throwOnError(),
  error => error instanceof PostgrestError || `not a PostgrestError: ${String(error)}`,
)
done.push('query error')

const { data: written } = await supabase.from('log_entries').insert({ note: 'first' }).select().single()
assert.equal(written?.note, 'first')
const { data: rows } = await supabase.from('log_entries').select('note')
assert.deepEqual(rows, [{ note: 'first' }])
done.push('query')

const { error: noFunction } = (await supabase.functions.invoke('no-such-function')) as { error: unknown }
assert(noFunction instanceof FunctionsHttpError, `not a FunctionsHttpError: ${String(noFunction)}`)
done.push('function error')

const { error: noFile } = await supabase.storage.from('no-such-bucket').download('nothing')
assert.match(noFile?.name ?? '', /^Storage/)
done.push('storage error')

const events: string[] = []
const messages: unknown[] = []
const channel = supabase.channel('matrix', { config: { broadcast: { self: true }, presence: { key: 'me' } } })
await new Promise<void>((resolve, reject) => {
  const note = (event: string) => {
    events.push(event)
    if (['INSERT', 'message', 'presence'].every(name => events.includes(name))) resolve()
  }
  const table = { event: '*', schema: 'public', table: 'log_entries' } as const
  channel
    .on('postgres_changes', table, change => note(change.eventType))
    .on('broadcast', { event: 'hello' }, ({ payload }) => {
      messages.push(payload)
      note('message')
    })
    .on('presence', { event: 'sync' }, () => {
      if (Object.keys(channel.presenceState()).includes('me')) note('presence')
    })
    .subscribe((status, error) => {
      if (error) reject(error)
      if (status !== REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) return
      void channel.track({ here: true })
      void channel.send({ type: 'broadcast', event: 'hello', payload: { text: 'hi' } })
      void supabase
        .from('log_entries')
        .insert({ note: 'second' })
        .then(() => undefined)
    })
  setTimeout(() => reject(new Error(`channel: only ${events.join(', ')} arrived`)), 15_000)
})
assert.deepEqual(messages, [{ text: 'hi' }])
assert.equal(await supabase.removeChannel(channel), 'ok')
done.push('channel')

const { error: refreshError } = await supabase.auth.refreshSession()
assert.equal(refreshError, null)
const { data: updated } = await supabase.auth.updateUser({ data: { rank: 'mate' } })
assert.equal(updated.user?.user_metadata['rank'], 'mate')
done.push('account')

const { error: signOutError } = await supabase.auth.signOut()
assert.equal(signOutError, null)
assert.equal(client.status().session.phase, 'signedOut')
assert((await client.recording.download()).size > 1_000)
done.push('recording')
await client.dispose()

console.log(JSON.stringify({ done }))
// The timeout of the channel above.
process.exit()
