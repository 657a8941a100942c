'use client'
// Renders pages again for the user who signed in or out in another tab. Its client is made during the render,
// also in that of the static shell.
import { useEffect } from 'react'
import { createClient } from '@/lib/supabase/client'
import { useRefresh } from '@/lib/use-refresh'

export function AuthListener() {
  const supabase = createClient()
  const refresh = useRefresh()
  useEffect(() => {
    const { data } = supabase.auth.onAuthStateChange(event => {
      if (event === 'SIGNED_IN' || event === 'SIGNED_OUT') refresh()
    })
    return () => data.subscription.unsubscribe()
  }, [supabase])
  return null
}
