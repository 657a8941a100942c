// What the first of two links of a change of address leaves to be said, be somebody signed in or not.
import { useEffect } from 'react'
import { notify } from '../shell/notify.ts'

/** The first of two links of a change of address leads back with words that anybody could write: only ours are shown. */
const isHalfConfirmed = (hash: string): boolean =>
  /^confirmation link accepted/i.test(new URLSearchParams(hash.replace(/^#/, '')).get('message') ?? '')

/** Tells it once. */
export const useHalfConfirmed = (): void => {
  useEffect(() => {
    if (!isHalfConfirmed(location.hash)) return
    // The words are in the query as well.
    const url = new URL(location.href)
    url.searchParams.delete('message')
    history.replaceState(history.state, '', url.pathname + url.search)
    notify({
      tone: 'info',
      title: 'One of the two addresses is confirmed',
      id: 'half',
      detail: 'Follow the link in the mail to the other address, too.',
    })
  }, [])
}
