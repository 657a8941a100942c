// The signed-in app: the page of the current URL.
import { RouterProvider } from '@tanstack/react-router'
import { use, useState } from 'react'
import { createAppRouter } from '../router.tsx'
import { RouterContext } from '../lazy-router.ts'

export function SignedIn() {
  const { take } = use(RouterContext)
  const [router] = useState(() => take(createAppRouter))
  return <RouterProvider router={router} />
}
