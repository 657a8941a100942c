// The client on any JavaScript runtime: uses no module of Node, and leaves nothing that runs on.
import { REALTIME_SUBSCRIBE_STATES } from '@supabase/supabase-js'
import type { Database } from './database.ts'

export interface Backend {
  readonly url: string
  readonly key: string
}

export interface Report {
  /** The version that the runtime reports, if it does. */
  readonly agent: string | undefined
  /** The steps that passed. */
  readonly done: readonly string[]
  /** Why the next one did not. */
  readonly failure?: string
}

/** Imports the package, signs in, queries, follows a channel, records, and disposes. */
export async function tryClient({ url, key }: Backend): Promise<Report> {
  const agent = globalThis.navigator?.userAgent
  const done: string[] = []
  try {
    for await (const step of steps(url, key)) done.push(step)
    return { agent, done }
  } catch (error) {
    return { agent, done, failure: error instanceof Error ? error.message : String(error) }
  }
}

async function* steps(url: string, key: string): AsyncGenerator<string> {
  const { createChartroomClient } = await import('chartroom')
  const { recordEverything } = await import('@chartroom/devtools/recording')
  await Promise.all([
    import('@chartroom/devtools/control'),
    import('@chartroom/devtools/replay'),
    import('chartroom/ssr'),
  ])
  yield 'import'

  const client = createChartroomClient<Database>(url, key)
  const { supabase } = client
  const email = `user-${crypto.randomUUID()}@matrix.test`
  const password = 'matrix-matrix'
  okay(await supabase.auth.signUp({ email, password }))
  okay(await supabase.auth.signOut())
  okay(await supabase.auth.signInWithPassword({ email, password }))
  expectThat(client.status().session.phase === 'authenticated', 'the client is not signed in')
  okay(await supabase.auth.refreshSession())
  yield 'sign-in'

  okay(await supabase.from('log_entries').insert({ note: 'first' }))
  const { data } = await supabase.from('log_entries').select('note').throwOnError()
  expectThat(data.length === 1 && data[0]?.note === 'first', `other rows: ${JSON.stringify(data)}`)
  const { error } = await supabase.from('log_entries').select('nothing')
  expectThat(error?.code === '42703', `another error: ${JSON.stringify(error)}`)
  yield 'query'

  const heard = new Promise<unknown>((resolve, reject) => {
    const channel = supabase.channel('matrix', { config: { broadcast: { self: true } } })
    channel
      .on('broadcast', { event: 'hello' }, ({ payload }) => resolve(payload))
      .subscribe((status, failure) => {
        if (failure) reject(failure)
        if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED)
          void channel.send({ type: 'broadcast', event: 'hello', payload: { text: 'hi' } })
      })
  })
  const payload = JSON.stringify(await heard)
  expectThat(payload === '{"text":"hi"}', `another message: ${payload}`)
  await supabase.removeAllChannels()
  yield 'channel'

  await client.dispose()
  const recorded = createChartroomClient<Database>({ url, key, recording: recordEverything() })
  await recorded.supabase.from('log_entries').select('note').throwOnError()
  const { size } = await recorded.recording.download()
  expectThat(size > 500, `a recording of ${size} bytes`)
  // This client is not disposed: an idle one must not keep a process alive.
  yield 'recording'
}

function okay({ error }: { readonly error: { readonly message: string } | null }): void {
  if (error) throw new Error(error.message)
}

function expectThat(isTrue: boolean, message: string): void {
  if (!isTrue) throw new Error(message)
}
