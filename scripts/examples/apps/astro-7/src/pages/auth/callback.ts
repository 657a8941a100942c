// Where links of emails end: exchanges their code for a session in cookies.
import type { APIRoute } from 'astro'
import { createClient } from '../../lib/supabase'

export const GET: APIRoute = async ({ request, cookies, redirect, url }) => {
  const code = url.searchParams.get('code')
  if (code) {
    const { error } = await createClient({ request, cookies }).auth.exchangeCodeForSession(code)
    if (!error) return redirect('/')
  }
  return redirect('/?failed')
}
