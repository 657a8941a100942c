// Notice after the first of two links of an email change, shown signed in or signed out.
import { useEffect } from 'react'
import { notify } from '../shell/notify.ts'

/** Anybody can write the message in the URL, so it only selects our own text. */
const isHalfConfirmed = (hash: string): boolean =>
  /^confirmation link accepted/i.test(new URLSearchParams(hash.replace(/^#/, '')).get('message') ?? '')

/** Shows the notice once. */
export const useHalfConfirmed = (): void => {
  useEffect(() => {
    if (!isHalfConfirmed(location.hash)) return
    // The message is in the query as well.
    const url = new URL(location.href)
    url.searchParams.delete('message')
    history.replaceState(history.state, '', url.pathname + url.search)
    notify({
      tone: 'info',
      title: 'One of the two addresses is confirmed',
      id: 'half',
      detail: 'Also open the link in the email to the other address.',
    })
  }, [])
}
