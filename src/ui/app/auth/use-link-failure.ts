// A link that did not sign in while somebody is signed in already: said once, in passing.
import { useEffect } from 'react'
import { toast } from 'sonner'
import { useStatus } from '../../react.ts'
import { explainAuthFailure } from './explain.ts'

export const useLinkFailure = (): void => {
  const failure = useStatus(({ session }) =>
    session.phase === 'authenticated' ? session.linkFailure : undefined,
  )
  const text = failure && explainAuthFailure(failure)
  useEffect(() => {
    if (text !== undefined) toast.error('The link did not sign you in', { id: 'link', description: text })
  }, [text])
}
