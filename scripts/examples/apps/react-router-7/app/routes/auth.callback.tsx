// Where links of emails end: exchanges their code for a session in cookies.
import { redirect } from 'react-router'
import { createClient } from '../../lib/supabase/server'
import type { Route } from './+types/auth.callback'

export async function loader({ request }: Route.LoaderArgs) {
  const code = new URL(request.url).searchParams.get('code')
  const { supabase, headers } = createClient(request)
  if (code) {
    const { error } = await supabase.auth.exchangeCodeForSession(code)
    if (!error) return redirect('/', { headers })
  }
  return redirect('/?failed', { headers })
}
