// What a link or a sign-in leaves to be said in passing, once the work is there.
import { useEffect } from 'react'
import { useStatus } from '../../react.ts'
import { useAccountCommands } from '../account/use-account-commands.ts'
import { useStepUpNotice } from '../account/use-step-up-notice.ts'
import { explainAuthFailure } from './explain.ts'
import { notify } from '../shell/notify.ts'

/** The first of two links of a change of address leads back with words that anybody could write: only ours are shown. */
const isHalfConfirmed = (hash: string): boolean =>
  /^confirmation link accepted/i.test(new URLSearchParams(hash.replace(/^#/, '')).get('message') ?? '')

/** Tells each once: a link that did not sign in, an address or a factor to confirm; and offers the account's commands. */
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
  useEffect(() => {
    if (!isHalfConfirmed(location.hash)) return
    history.replaceState(history.state, '', location.pathname + location.search)
    notify({
      tone: 'info',
      title: 'One of the two addresses is confirmed',
      id: 'half',
      detail: 'Follow the link in the mail to the other address, too.',
    })
  }, [])
}
