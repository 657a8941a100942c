// The recording's time in the toolbar.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ForeignTrace } from '../../../src/trace/index.ts'
import { useElapsed, useRecording } from '../../../src/ui/console/use-recording.ts'
import { renderAlone } from '../../harness/react.tsx'

const { act } = await import('react')

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A recording without a single record, which began with the page. */
function idle() {
  let isRecording = true
  return {
    trace: new ForeignTrace({ defer: () => undefined }),
    start: () => undefined,
    download: async () => new Blob(),
    isRecording: () => isRecording,
    elapsed: () => performance.now() - began,
    stop: () => void (isRecording = false),
  }
}

let began = 0
beforeEach(() => void (began = performance.now()))

const pass = (ms: number) => act(async () => void vi.advanceTimersByTime(ms))

function Elapsed({ recording }: { readonly recording: ReturnType<typeof idle> }) {
  const state = useRecording(recording)
  const ms = useElapsed(state)
  return (
    <button type="button" onClick={state.stop}>
      {ms}
    </button>
  )
}

test('is right when the console opens, runs without events, and stands once the recording is stopped', async () => {
  const recording = idle()
  vi.advanceTimersByTime(13_000)
  const page = await renderAlone(<Elapsed recording={recording} />)
  expect(page.text()).toBe('13000')
  await pass(4_000)
  expect(page.text()).toBe('17000')
  await page.click()
  await pass(5_000)
  expect(page.text()).toBe('17000')
  await page.unmount()
  expect(vi.getTimerCount()).toBe(0)
})

test('does not tick while the page is hidden', async () => {
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  const page = await renderAlone(<Elapsed recording={idle()} />)
  await pass(6_000)
  expect(page.text()).toBe('0')
  visibility.mockReturnValue('visible')
  await act(async () => void document.dispatchEvent(new window.Event('visibilitychange')))
  expect(page.text()).toBe('6000')
})
