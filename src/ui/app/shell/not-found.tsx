// An address that leads nowhere.
import { Link } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { useTitle } from '../hooks.ts'
import { EmptyState } from '../../widgets/state.tsx'

/** Shown for an unknown path. */
export function NotFound() {
  useTitle('No such page')
  return (
    <EmptyState icon={<Compass size={22} aria-hidden />} title="There is no such page" isPage>
      The address may be mistyped. <Link to="/data">Go to your data</Link>.
    </EmptyState>
  )
}
