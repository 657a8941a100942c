// The page, whose shell is static.
import { Suspense } from 'react'
import { Home } from './home'

export default function Page() {
  return (
    <Suspense fallback={<p>Loading</p>}>
      <Home />
    </Suspense>
  )
}
