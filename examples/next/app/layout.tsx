// The frame of all pages.
import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { Providers } from './providers'
import './style.css'

export const metadata: Metadata = { title: 'Notes', icons: 'data:,' }

export default function Layout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <main>
          <h1>Notes</h1>
          <Providers>{children}</Providers>
        </main>
      </body>
    </html>
  )
}
