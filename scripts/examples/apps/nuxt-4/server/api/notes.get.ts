import { createSupabaseServerClient } from '../supabase/client'

export default defineEventHandler(async event => {
  const supabase = createSupabaseServerClient(event)
  const {
    data: { user },
  } = await supabase.auth.getUser()
  if (!user) return null
  const { data: notes } = await supabase.from('notes').select('id, text').order('id')
  return { email: user.email, notes: notes ?? [] }
})
