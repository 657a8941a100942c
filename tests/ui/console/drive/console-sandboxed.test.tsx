// A sandbox is disposed when it is left, when the console closes, and when the console closed while it was
// starting.
import { expect, test, vi } from 'vitest'
import type { Begun } from '../../../../src/ui/console/drive/begin-sandbox.ts'
import { Sandboxed } from '../../../../src/ui/console/drive/sandboxed.tsx'
import '../../../harness/react.tsx'

const { createRoot } = await import('react-dom/client')
const { act, StrictMode } = await import('react')

// APIs that the button needs.
for (const name of ['HTMLElement', 'SVGElement'] as const) vi.stubGlobal(name, window[name])

/** A starting sandbox, with the number of its disposals. */
function made() {
  const dispose = vi.fn<() => void>()
  const sandbox = { recording: {}, now: () => 0, control: {}, notes: [], dispose }
  const begun = { sandbox, origin: {}, systems: {}, from: { seq: 7, type: 'go' }, file: undefined }
  return { begun: begun as unknown as Begun, dispose }
}

/** An open console. */
async function opened() {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  let begin: (begun: Begun) => void = () => undefined
  await act(async () =>
    root.render(
      <StrictMode>
        <Sandboxed>
          {(view, onBranch) => {
            begin = onBranch
            return view ? 'sandbox' : 'live'
          }}
        </Sandboxed>
      </StrictMode>,
    ),
  )
  return {
    place,
    /** The console's state when the sandbox was requested. */
    begin: (begun: Begun) => begin(begun),
    close: () => act(async () => root.unmount()),
  }
}

test('a running sandbox is disposed by the next one, and with the console', async () => {
  const { place, begin, close } = await opened()
  const [first, second] = [made(), made()]
  await act(async () => begin(first.begun))
  expect(place.textContent).toContain('branched from #7 go')
  await act(async () => begin(second.begun))
  expect([first.dispose.mock.calls.length, second.dispose.mock.calls.length]).toEqual([1, 0])
  await close()
  expect([first.dispose.mock.calls.length, second.dispose.mock.calls.length]).toEqual([1, 1])
})

test('a sandbox that is ready after the console closed is disposed immediately', async () => {
  const { begin, close } = await opened()
  const { begun, dispose } = made()
  await close()
  begin(begun)
  expect(dispose).toHaveBeenCalledOnce()
})
