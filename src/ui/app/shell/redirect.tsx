// Redirect for pages that have no content.
import { useMatch, useRouter } from '@tanstack/react-router'
import type { ReactElement } from 'react'

const withoutSlash = (path: string) => path.replace(/\/$/, '')

/** Renders a `Navigate` unless the user already left: a page stays rendered until the next one is ready. */
export function Redirect({ children }: { readonly children: ReactElement }) {
  const router = useRouter()
  const rendered = useMatch({ strict: false, select: match => match.pathname })
  return withoutSlash(router.latestLocation.pathname) === withoutSlash(rendered) ? children : null
}
