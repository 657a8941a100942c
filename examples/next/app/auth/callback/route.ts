// Where links of emails and sign-in providers end: exchanges their code for a session in cookies.
import { NextResponse } from 'next/server'
import { createClient } from '@/lib/server'

export async function GET(request: Request) {
  const { searchParams, origin } = new URL(request.url)
  const code = searchParams.get('code')
  const flowId = searchParams.get('sb_flow_id')
  if (code === null) return NextResponse.redirect(`${origin}/auth/failed`)
  const supabase = await createClient()
  const { error } = await supabase.auth.exchangeCodeForSession(code, flowId === null ? undefined : { flowId })
  return NextResponse.redirect(error ? `${origin}/auth/failed` : origin)
}
