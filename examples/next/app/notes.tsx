'use client'
// The notes that the server read, rendered again on the server when a row changes.
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { describeFailure } from 'chartroom'
import { useChannel, useChannelEvent } from 'chartroom/react'
import { client } from '@/lib/client'

const CHANGES = { event: '*', schema: 'public', table: 'notes' } as const

interface Props {
  readonly email: string | undefined
  readonly notes: readonly { readonly id: number; readonly text: string }[]
}

export function Notes({ email, notes }: Props) {
  const router = useRouter()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState('')

  // `resync` is called once row changes arrive, and again whenever some may have been missed.
  const { handle } = useChannel('notes', { postgresChanges: [CHANGES], resync: async () => router.refresh() })
  useChannelEvent(handle, 'change', () => router.refresh())

  const add = async () => {
    const { error, status } = await client.supabase.from('notes').insert({ text })
    setProblem(error ? (await describeFailure(error, status)).message : '')
    if (!error) setText('')
  }

  const signOut = async () => {
    await client.auth.signOut()
    router.refresh()
  }

  return (
    <>
      <p>
        {email}{' '}
        <button type="button" onClick={() => void signOut()}>
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
      {problem && <p role="alert">{problem}</p>}
    </>
  )
}
