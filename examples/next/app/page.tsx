// The page, rendered on the server: the notes of the user, or the sign-in form.
import { createClient } from '@/lib/server'
import { Notes } from './notes'
import { SignIn } from './sign-in'

export default async function Page() {
  const supabase = await createClient()
  const { data } = await supabase.auth.getClaims()
  if (!data) return <SignIn />
  const { data: notes } = await supabase.from('notes').select('id, text').order('id').throwOnError()
  return <Notes email={data.claims.email} notes={notes} />
}
