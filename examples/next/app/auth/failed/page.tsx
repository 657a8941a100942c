// The page of a sign-in link that did not work.
import Link from 'next/link'

export default function Failed() {
  return (
    <p>
      This link is no longer valid, or was opened in another browser. <Link href="/">Sign in again</Link>
    </p>
  )
}
