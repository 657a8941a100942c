// Where links of emails end: exchanges their code for a session in cookies.
import { createSupabaseServerClient } from '../../supabase/client'

export default defineEventHandler(async event => {
  const { code } = getQuery(event)
  if (typeof code === 'string') {
    const supabase = createSupabaseServerClient(event)
    const { error } = await supabase.auth.exchangeCodeForSession(code)
    if (!error) return sendRedirect(event, '/')
  }
  return sendRedirect(event, '/?failed')
})
