'use client'
// The sign-in form: with a password, or by a link that ends in the callback route.
import { type FormEvent, type MouseEvent, useState } from 'react'
import { createClient } from '../lib/supabase/client'
import { useRefresh } from '../lib/use-refresh'

export function SignIn() {
  const supabase = createClient()
  const refresh = useRefresh()
  const [message, setMessage] = useState('')

  const signIn = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const { error } = await supabase.auth.signInWithPassword({
      email: String(form.get('email')),
      password: String(form.get('password')),
    })
    if (error) setMessage(error.message)
    else refresh()
  }

  const sendLink = async (event: MouseEvent<HTMLButtonElement>) => {
    const form = new FormData(event.currentTarget.form!)
    const { error } = await supabase.auth.signInWithOtp({
      email: String(form.get('email')),
      options: { emailRedirectTo: `${location.origin}/auth/callback`, shouldCreateUser: false },
    })
    setMessage(error ? error.message : 'A link was sent.')
  }

  return (
    <form method="post" onSubmit={signIn}>
      <label>
        Email <input type="email" name="email" required />
      </label>
      <label>
        Password <input type="password" name="password" required />
      </label>
      <button type="submit">Sign in</button>
      <button type="button" onClick={sendLink}>
        Email link
      </button>
      {message && <p role="status">{message}</p>}
    </form>
  )
}
