// What a link or a sign-in leaves to be said in passing, once the work is there.
import { useEffect } from 'react'
import { toast } from 'sonner'
import { useStatus } from '../../react.ts'
import { explainAuthFailure } from './explain.ts'

/** The first of two links of a change of address leads back with words that anybody could write: only ours are shown. */
const isHalfConfirmed = (hash: string): boolean =>
  /^confirmation link accepted/i.test(new URLSearchParams(hash.replace(/^#/, '')).get('message') ?? '')

/** Tells each of them once: a link that did not sign in, a change that another address has to confirm, too. */
export const useLinkFailure = (): void => {
  const failure = useStatus(({ session }) =>
    session.phase === 'authenticated' ? session.linkFailure : undefined,
  )
  const text = failure && explainAuthFailure(failure)
  useEffect(() => {
    if (text !== undefined) toast.error('The link did not sign you in', { id: 'link', description: text })
  }, [text])
  useEffect(() => {
    if (!isHalfConfirmed(location.hash)) return
    history.replaceState(history.state, '', location.pathname + location.search)
    toast.info('One of the two addresses is confirmed', {
      id: 'half',
      description: 'Follow the link in the mail to the other address, too.',
    })
  }, [])
}
