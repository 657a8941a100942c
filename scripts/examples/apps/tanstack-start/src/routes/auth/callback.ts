// Where links of emails end: exchanges their code for a session in cookies.
import { createFileRoute } from '@tanstack/react-router'
import { createClient } from '../../../lib/supabase/server'

export const Route = createFileRoute('/auth/callback')({
  server: {
    handlers: {
      GET: async ({ request }) => {
        const code = new URL(request.url).searchParams.get('code')
        let location = '/?failed'
        if (code) {
          const { error } = await createClient().auth.exchangeCodeForSession(code)
          if (!error) location = '/'
        }
        return new Response(null, { status: 302, headers: { location } })
      },
    },
  },
})
