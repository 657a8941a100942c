// A live table: the notes of the user, loaded again when a row changes or changes were missed.
import { useState } from 'react'
import { type DataClient, describeFailure } from 'chartroom'
import { useClient, useRequest } from 'chartroom/react'
import type { Database } from './database'

const CHANGES = { event: '*', schema: 'public', table: 'notes' } as const

export function Notes({ email }: { readonly email: string | undefined }) {
  const client = useClient<Database>()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState('')
  const { data: notes = [], failure } = useRequest(
    'notes',
    (supabase: DataClient<Database>) => supabase.from('notes').select('id, text').order('id'),
    { refreshOn: [CHANGES] },
  )

  const add = async () => {
    const { error, status } = await client.supabase.from('notes').insert({ text })
    setProblem(error ? (await describeFailure(error, status)).message : '')
    if (!error) setText('')
  }

  return (
    <>
      <p>
        {email}{' '}
        <button type="button" onClick={() => void client.auth.signOut()}>
          Sign out
        </button>
      </p>
      <ul>
        {notes.map(note => (
          <li key={note.id}>{note.text}</li>
        ))}
      </ul>
      <form action={add}>
        <label>
          New note <input required value={text} onChange={event => setText(event.target.value)} />
        </label>
        <button type="submit">Add</button>
      </form>
      {(problem || failure) && <p role="alert">{problem || failure?.message}</p>}
    </>
  )
}
