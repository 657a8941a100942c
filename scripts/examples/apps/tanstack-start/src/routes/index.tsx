// The page, rendered on the server: the notes of the user, or the sign-in form.
import { createFileRoute } from '@tanstack/react-router'
import { createServerFn } from '@tanstack/react-start'
import { createClient } from '../../lib/supabase/server'
import { Notes } from '../../ui/notes'
import { SignIn } from '../../ui/sign-in'

const readNotes = createServerFn().handler(async () => {
  const supabase = createClient()
  const {
    data: { user },
  } = await supabase.auth.getUser()
  if (!user) return null
  const { data: notes } = await supabase.from('notes').select('id, text').order('id')
  return { email: user.email, notes: notes ?? [] }
})

export const Route = createFileRoute('/')({ loader: () => readNotes(), component: Home })

function Home() {
  const data = Route.useLoaderData()
  return data ? <Notes {...data} /> : <SignIn />
}
