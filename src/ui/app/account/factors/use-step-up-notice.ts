// Somebody who has a second factor and has not confirmed it is told once, with the way to it.
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useStatus } from '../../../react.ts'
import { notify } from '../../shell/notify.ts'

export const useStepUpNotice = (): void => {
  const router = useRouter()
  const isDue = useStatus(
    ({ session }) => session.phase === 'authenticated' && session.assurance.next !== session.aal,
  )
  useEffect(() => {
    if (!isDue || router.state.location.pathname === '/account') return
    return notify({
      id: 'step-up',
      title: 'Your second factor is not confirmed',
      detail: 'Policies may ask for it: rows can be missing, and writes be refused.',
      action: { label: 'Confirm it', run: () => void router.navigate({ to: '/account', hash: 'security' }) },
    })
  }, [isDue, router])
}
