// The console in another app, while it loads and when loading fails: the app keeps working.
import { expect, test, vi } from 'vitest'
import { createMachine } from 'xstate'
import { attach } from '../../src/services/control/attach.ts'
import { ChartroomConsole } from '../../src/ui/console/attach/chartroom-console.tsx'
import { CONSOLE_STYLES, EmbeddedStyles } from '../../src/ui/console/attach/embedded-styles.tsx'
import '../harness/react.tsx'

const { createRoot } = await import('react-dom/client')
const { renderToStaticMarkup } = await import('react-dom/server')
const { promise, reject } = Promise.withResolvers<never>()

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
vi.mock('../../src/ui/console/attach/embedded-console.tsx', () => promise)

test('shows that it is loading, and the error if that fails', async () => {
  const { recording } = attach(createMachine({ id: 'lamp' }))
  const place = document.createElement('div')
  const root = createRoot(place, { onCaughtError: () => undefined })
  root.render(
    <>
      <main>The app</main>
      <ChartroomConsole recording={recording} />
    </>,
  )
  await expect.poll(() => place.textContent).toBe('The appLoading the console…')
  reject(new Error('the network is away'))
  await expect
    .poll(() => place.textContent)
    .toMatch(/^The appThe console could not be shown \(.*\)\. Reload the page to try again\.$/)
  root.unmount()
})

test('adds its sheet if there is one, and no inline style to a page that already has the sheets', () => {
  expect(renderToStaticMarkup(<EmbeddedStyles text={CONSOLE_STYLES} />)).toBe('')
  expect(renderToStaticMarkup(<EmbeddedStyles text=".chartroom{color:red}" />)).toContain(
    '.chartroom{color:red}',
  )
})
