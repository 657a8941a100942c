// A page with the notes of the user, without a framework. Its client is recorded, so that a test can take the trace.
import { createChartroomClient, type ChannelHandle, describeFailure } from 'chartroom'
import { recordEverything } from '@chartroom/devtools/recording'
import type { Database } from './database'

const client = createChartroomClient<Database>({
  url: String(import.meta.env['VITE_SUPABASE_URL']),
  key: String(import.meta.env['VITE_SUPABASE_PUBLISHABLE_KEY']),
  recording: recordEverything(),
})
if (import.meta.env.DEV) window.chartroom = client

const CHANGES = { event: '*', schema: 'public', table: 'notes' } as const
const app = document.querySelector('#app')
let channel: ChannelHandle | undefined
let shown: string | undefined

client.onStatus(({ session }) => show(session.phase))
show(client.status().session.phase)

function show(phase: string): void {
  const next = phase === 'authenticated' ? 'notes' : phase === 'booting' ? undefined : 'form'
  if (next === undefined || next === shown) return
  shown = next
  channel?.leave()
  channel = undefined
  if (next === 'form') showForm()
  else showNotes()
}

function showForm(): void {
  app?.setHTMLUnsafe(`
    <h1>Notes</h1>
    <form>
      <label>Email <input name="email" type="email" required /></label>
      <label>Password <input name="password" type="password" required /></label>
      <button>Sign in</button>
      <p role="alert"></p>
    </form>`)
  onSubmit(async fields => {
    const result = await client.auth.signInWithPassword(fields)
    return result.ok ? '' : result.failure.message
  })
}

function showNotes(): void {
  app?.setHTMLUnsafe(`
    <h1>Notes</h1>
    <button type="button">Sign out</button>
    <ul></ul>
    <form>
      <label>New note <input name="text" required /></label>
      <button>Add</button>
      <p role="alert"></p>
    </form>`)
  app?.querySelector('button')?.addEventListener('click', () => void client.auth.signOut())
  onSubmit(async ({ text }) => {
    const { error, status } = await client.supabase.from('notes').insert({ text })
    return error ? (await describeFailure(error, status)).message : ''
  })
  const load = async () => {
    const { data } = await client.supabase.from('notes').select('text').order('id').throwOnError()
    const items = data.map(({ text }) => Object.assign(document.createElement('li'), { textContent: text }))
    app?.querySelector('ul')?.replaceChildren(...items)
  }
  channel = client.channel('notes', { postgresChanges: [CHANGES], resync: load })
  channel.on('change', () => void load())
}

type Fields = { email: string; password: string; text: string }

/** Calls `send` with the fields of the form, and shows the problem that it returns. */
function onSubmit(send: (fields: Fields) => Promise<string>): void {
  const form = app?.querySelector('form')
  const field = (name: string) => form?.querySelector<HTMLInputElement>(`[name=${name}]`)?.value ?? ''
  form?.addEventListener('submit', event => {
    event.preventDefault()
    const fields = { email: field('email'), password: field('password'), text: field('text') }
    void send(fields).then(problem => {
      const place = form.querySelector('[role=alert]')
      if (place) place.textContent = problem
      if (problem === '') form.reset()
    })
  })
}
