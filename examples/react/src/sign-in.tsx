// The sign-in form.
import { useState } from 'react'
import { useClient, useSession } from 'chartroom/react'

export function SignIn() {
  const client = useClient()
  const session = useSession()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState('')

  const signIn = async () => {
    const result = await client.auth.signInWithPassword({ email, password })
    setProblem(result.ok ? '' : result.failure.message)
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
      <button type="submit" disabled={session.phase === 'authenticating'}>
        Sign in
      </button>
      {problem && <p role="alert">{problem}</p>}
    </form>
  )
}
