// The app: a sign-in form, or the notes of the user.
import { useSession } from 'chartroom/react'
import { Notes } from './notes'
import { SignIn } from './sign-in'

export function App() {
  const session = useSession()
  return (
    <main>
      <h1>Notes</h1>
      {session.phase === 'booting' ? (
        <p>Loading…</p>
      ) : session.phase === 'authenticated' ? (
        <Notes email={session.user.email} />
      ) : (
        <SignIn />
      )}
    </main>
  )
}
