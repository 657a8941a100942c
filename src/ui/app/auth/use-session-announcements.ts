// Notices after a link or a sign-in, shown when the app opens.
import { useEffect } from 'react'
import { useStatus } from '../../react/index.ts'
import { useAccountCommands } from '../account/use-account-commands.ts'
import { useStepUpNotice } from '../account/factors/use-step-up-notice.ts'
import { explainAuthFailure } from '../../../services/workbench/auth/index.ts'
import { notify } from '../shell/notify.ts'

/** Notifies once of a failed link and of an unconfirmed factor; registers the account commands. */
export const useSessionAnnouncements = (): void => {
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
