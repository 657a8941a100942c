// What a link or a sign-in leaves to be said in passing, once the work is there.
import { useEffect } from 'react'
import { useStatus } from '../../react.ts'
import { useAccountCommands } from '../account/use-account-commands.ts'
import { useStepUpNotice } from '../account/factors/use-step-up-notice.ts'
import { explainAuthFailure } from './explain.ts'
import { notify } from '../shell/notify.ts'

/** Tells each once: a link that did not sign in, a factor to confirm; and offers the account's commands. */
export const useSessionNews = (): void => {
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
