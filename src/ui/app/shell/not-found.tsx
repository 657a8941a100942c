// Page for unknown paths.
import { Link } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { useTitle } from '../hooks.ts'
import { EmptyState } from '../../widgets/state.tsx'

/** Shown for an unknown path. */
export function NotFound() {
  useTitle('Page not found')
  return (
    <EmptyState icon={<Compass size={22} aria-hidden />} title="Page not found" isPage>
      The URL may be mistyped. <Link to="/data">Go to your data</Link>.
    </EmptyState>
  )
}
