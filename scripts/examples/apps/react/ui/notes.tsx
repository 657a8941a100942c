'use client'
// The notes that the server read, read again when a row changes.
import { type FormEvent, useEffect, useState } from 'react'
import { createClient } from '../lib/supabase/client'
import { useRefresh } from '../lib/use-refresh'

interface Props {
  email: string | undefined
  notes: { id: number; text: string }[]
}

export function Notes({ email, notes }: Props) {
  const supabase = createClient()
  const refresh = useRefresh()
  const [message, setMessage] = useState('')

  useEffect(() => {
    const channel = supabase
      .channel('notes')
      .on('postgres_changes', { event: '*', schema: 'public', table: 'notes' }, () => refresh())
      .subscribe()
    return () => {
      supabase.removeChannel(channel)
    }
  }, [supabase])

  const add = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const { error } = await supabase.from('notes').insert({ text: String(new FormData(form).get('text')) })
    if (error) return setMessage(error.message)
    form.reset()
    refresh()
  }

  const signOut = async () => {
    await supabase.auth.signOut()
    refresh()
  }

  return (
    <>
      <p>
        {email}{' '}
        <button type="button" onClick={signOut}>
          Sign out
        </button>
      </p>
      <ul>
        {notes.map(note => (
          <li key={note.id}>{note.text}</li>
        ))}
      </ul>
      <form method="post" onSubmit={add}>
        <label>
          New note <input name="text" required />
        </label>
        <button type="submit">Add</button>
      </form>
      {message && <p role="alert">{message}</p>}
    </>
  )
}
