// Notices after a link or a sign-in, shown when the app opens.
import { useEffect } from 'react'
import { useStatus } from '../../react/index.ts'
import { useAccountCommands } from '../account/use-account-commands.ts'
import { explainAuthFailure } from '../../../services/workbench/auth/index.ts'
import { clearNotices, notify } from '../shell/notify.ts'
import { useRouter } from '@tanstack/react-router'

/** Notifies once of a failed link and of an unconfirmed factor; registers the account commands. */
export const useSessionAnnouncements = (): void => {
  // Notices belong to the user's work, which ends with the session.
  useEffect(() => () => void clearNotices(), [])
  useStepUpNotice()
  useAccountCommands()
  const failure = useStatus(({ session }) =>
    session.phase === 'authenticated' ? session.linkFailure : undefined,
  )
  const text = failure && explainAuthFailure(failure)
  useEffect(() => {
    if (text !== undefined)
      notify({ tone: 'fail', title: 'The link did not sign you in', id: 'link', detail: text })
  }, [text])
}

/** One-time notice for users whose second factor is not verified in this session. */
const useStepUpNotice = (): void => {
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
