// Refreshes the session before a page renders, since server components cannot set cookies.
import { NextResponse, type NextRequest } from 'next/server'
import { createServerClient } from 'chartroom/ssr'
import { key, url } from '@/lib/env'

export async function proxy(request: NextRequest) {
  let response = NextResponse.next({ request })
  const supabase = createServerClient(url, key, {
    cookies: {
      getAll: () => request.cookies.getAll(),
      setAll(all, headers) {
        for (const { name, value } of all) request.cookies.set(name, value)
        // With the changed cookies, for the components that render this request.
        response = NextResponse.next({ request })
        for (const { name, value, options } of all) response.cookies.set(name, value, options)
        for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
      },
    },
  })
  await supabase.auth.getClaims()
  return response
}

export const config = { matcher: ['/((?!_next/static|_next/image|favicon.ico).*)'] }
