// Where links of emails and sign-in providers end: exchanges their code for a session in cookies.
import { redirect } from '@sveltejs/kit'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = async ({ url, locals: { supabase } }) => {
  const { error } = await supabase.auth.exchangeCodeForSession(url.searchParams.get('code') ?? '')
  redirect(303, error ? '/auth/failed' : '/')
}
