// Reads the notes of the user on the server.
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { supabase } }) => {
  const { data } = await supabase.auth.getClaims()
  if (!data) return { email: undefined, notes: [] }
  const { data: notes } = await supabase.from('notes').select('id, text').order('id').throwOnError()
  return { email: data.claims.email, notes }
}
