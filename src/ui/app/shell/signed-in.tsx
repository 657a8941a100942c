// The signed-in app: the page of the current URL.
import { RouterProvider } from '@tanstack/react-router'
import { useState } from 'react'
import { createAppRouter } from '../router.tsx'
import { useConnected } from '../connected-context.ts'

export function SignedIn() {
  const { take } = useConnected().router
  const [router] = useState(() => take(createAppRouter))
  return <RouterProvider router={router} />
}
