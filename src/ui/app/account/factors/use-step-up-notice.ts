// One-time notice for users whose second factor is not verified in this session.
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useStatus } from '../../../react/index.ts'
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
      title: 'Two-factor not verified',
      detail: 'Some data may be hidden and some changes rejected.',
      action: { label: 'Verify', run: () => void router.navigate({ to: '/account', hash: 'security' }) },
    })
  }, [isDue, router])
}
