'use client'
// The sign-in form: with a password, or by a link that ends in the callback route.
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { describeFailure } from 'chartroom'
import { client } from '@/lib/client'

export function SignIn() {
  const router = useRouter()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [message, setMessage] = useState('')

  const signIn = async () => {
    const result = await client.auth.signInWithPassword({ email, password })
    if (result.ok) router.refresh()
    else setMessage(result.failure.message)
  }

  const sendLink = async () => {
    const { error } = await client.supabase.auth.signInWithOtp({
      email,
      options: { emailRedirectTo: `${location.origin}/auth/callback`, shouldCreateUser: false },
    })
    setMessage(error ? (await describeFailure(error)).message : `A link was sent to ${email}.`)
  }

  return (
    <form action={signIn}>
      <label>
        Email{' '}
        <input
          type="email"
          autoComplete="username"
          required
          value={email}
          onChange={event => setEmail(event.target.value)}
        />
      </label>
      <label>
        Password{' '}
        <input
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={event => setPassword(event.target.value)}
        />
      </label>
      <button type="submit">Sign in</button>
      <button type="button" onClick={() => void sendLink()}>
        Email link
      </button>
      {message && <p role="status">{message}</p>}
    </form>
  )
}
