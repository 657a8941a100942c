// A part of the page that failed shows the error in its place, and is restored by a retry.
import { expect, test, vi } from 'vitest'
import { ErrorBoundary, type FailureProps } from '../../src/ui/widgets/error-boundary.tsx'
import '../harness/react.tsx'

const { createRoot } = await import('react-dom/client')

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)

function Failed({ error, again }: FailureProps) {
  return (
    <button type="button" onClick={again}>
      {error.message}
    </button>
  )
}

test('a failed part can be retried', async () => {
  let isBroken = true
  function View() {
    if (isBroken) throw new Error('a step too far')
    return <p>All is well</p>
  }
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place, { onCaughtError: () => undefined })
  root.render(
    <ErrorBoundary fallback={Failed}>
      <View />
    </ErrorBoundary>,
  )
  await expect.poll(() => place.textContent).toBe('a step too far')
  isBroken = false
  place.querySelector('button')?.click()
  await expect.poll(() => place.textContent).toBe('All is well')
  root.unmount()
})
