// The frame of all pages.
import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { AuthListener } from './auth-listener'

export const metadata: Metadata = { title: 'Notes', icons: 'data:,' }

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <AuthListener />
        <h1>Notes</h1>
        {children}
      </body>
    </html>
  )
}
