'use client'
// Gives the client of the page to the hooks of chartroom/react.
import type { ReactNode } from 'react'
import { ChartroomProvider } from 'chartroom/react'
import { client } from '@/lib/client'

export function Providers({ children }: { readonly children: ReactNode }) {
  return <ChartroomProvider client={client}>{children}</ChartroomProvider>
}
