// Rendered on the server: the notes of the user, or the sign-in form.
import { createClient } from '@/lib/supabase/server'
import { Notes } from '@/ui/notes'
import { SignIn } from '@/ui/sign-in'

export async function Home() {
  const supabase = await createClient()
  const { data } = await supabase.auth.getClaims()
  if (!data) return <SignIn />
  const { data: notes } = await supabase.from('notes').select('id, text').order('id')
  return <Notes email={data.claims.email} notes={notes ?? []} />
}
