// The page, rendered on the server: the notes of the user, or the sign-in form.
import { data } from 'react-router'
import { createClient } from '../../lib/supabase/server'
import { Notes } from '../../ui/notes'
import { SignIn } from '../../ui/sign-in'
import type { Route } from './+types/home'

export async function loader({ request }: Route.LoaderArgs) {
  const { supabase, headers } = createClient(request)
  const {
    data: { user },
  } = await supabase.auth.getUser()
  if (!user) return data(null, { headers })
  const { data: notes } = await supabase.from('notes').select('id, text').order('id')
  return data({ email: user.email, notes: notes ?? [] }, { headers })
}

export default function Home({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <h1>Notes</h1>
      {loaderData ? <Notes {...loaderData} /> : <SignIn />}
    </>
  )
}
