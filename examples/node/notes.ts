// A program that signs in, reads notes, follows their changes, exits when it is idle, and writes a trace file.
import { writeFile } from 'node:fs/promises'
import { createChartroomClient, describeFailure } from 'chartroom'
import { createFileStore } from '@chartroom/devtools/node'
import { recordEverything } from '@chartroom/devtools/recording'
import type { Database } from './database.ts'

const { SUPABASE_URL: url = '', SUPABASE_PUBLISHABLE_KEY: key = '', EMAIL, PASSWORD } = process.env
const CHANGES = { event: '*', schema: 'public', table: 'notes' } as const

const client = createChartroomClient<Database>({ url, key, recording: recordEverything() })
const { supabase } = client

// Written to the disk while it runs: a crash loses a quarter of a second at most.
const store = createFileStore('recordings')
store.write(client.recording)

await run()
await client.dispose()
await store.close()

const [latest] = await createFileStore('recordings').list()
const trace = latest && (await createFileStore('recordings').open(latest.id))
if (trace) await writeFile('notes.trace.gz', trace.stream())
console.log('recorded: notes.trace.gz')

async function run(): Promise<void> {
  const result = await client.auth.signInWithPassword({ email: EMAIL ?? '', password: PASSWORD ?? '' })
  if (!result.ok) throw new Error(`Sign-in failed: ${result.failure.message}`)
  console.log(`signed in: ${result.value.email}`)

  const live = Promise.withResolvers<void>()
  const own = Promise.withResolvers<void>()
  const text = `Written at ${new Date().toISOString()}`

  // Called when row changes begin to arrive, and again whenever some may have been missed.
  const load = async () => {
    const { data, error, status } = await supabase.from('notes').select('id, text').order('id')
    if (error) throw new Error((await describeFailure(error, status)).message)
    console.log(`notes: ${data.map(note => note.text).join(', ')}`)
    live.resolve()
  }
  const channel = client.channel('notes', { postgresChanges: [CHANGES], resync: load })
  channel.on('change', ({ type, record }) => {
    console.log(`${type}: ${String(record['text'])}`)
    if (record['text'] === text) own.resolve()
  })

  await live.promise
  const { error, status } = await supabase.from('notes').insert({ text })
  if (error) throw new Error((await describeFailure(error, status)).message)
  await own.promise

  channel.leave()
  await client.auth.signOut({ scope: 'local' })
}
