'use client'
// Chartroom clients that are made during the render, also in that of the static shell, and a hook that reads them.
import { useState } from 'react'
import { createChartroomClient } from 'chartroom'
import { ChartroomProvider, useSession } from 'chartroom/react'
import { chartroomOf } from 'chartroom/ssr'
import { createClient } from '@/lib/supabase/client'

export function AuthListener() {
  const [client] = useState(() => chartroomOf(createClient()))
  const [other] = useState(() =>
    createChartroomClient({
      url: process.env.NEXT_PUBLIC_SUPABASE_URL!,
      key: process.env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY!,
      auth: { storageKey: 'other' },
    }),
  )
  return (
    <>
      <ChartroomProvider client={client}>
        <Phase />
      </ChartroomProvider>
      <ChartroomProvider client={other}>
        <Phase />
      </ChartroomProvider>
    </>
  )
}

function Phase() {
  return <p>{useSession().phase}</p>
}
