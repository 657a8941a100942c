// Exports when the app is closed: failed saves are reported where they were requested.
import { expect, test, vi } from 'vitest'
import { ExportForm } from '../../../../src/ui/console/checks/export-tab.tsx'
import { TestForm } from '../../../../src/ui/console/checks/test-form.tsx'
import { ConsoleContext, type ConsoleValue } from '../../../../src/ui/console/use-console.ts'
import '../../../harness/react.tsx'
import { consoleParts } from '../../console-parts.ts'
import { actorEntries, traceSource } from '../../console-trace.ts'

const { createRoot } = await import('react-dom/client')
const { act } = await import('react')

// APIs that fields and buttons need.
for (const name of ['HTMLElement', 'HTMLInputElement', 'HTMLTextAreaElement', 'SVGElement'] as const)
  vi.stubGlobal(name, window[name])

const actors = actorEntries(['door', 'door'])
const parts = consoleParts(traceSource({ actors, steps: [] }))

/** The form for a trace whose app returns no file. */
async function shown(Form: () => React.JSX.Element) {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  const console = { ...parts, place: {}, filter: {} }
  await act(async () =>
    root.render(
      <ConsoleContext value={console as unknown as ConsoleValue}>
        <Form />
      </ConsoleContext>,
    ),
  )
  const press = (name: string) =>
    act(async () => [...place.querySelectorAll('button')].find(one => one.textContent === name)?.click())
  const choose = (value: string) =>
    act(async () => place.querySelector<HTMLInputElement>(`input[value=${value}]`)?.click())
  const alerts = () => [...place.querySelectorAll('[role=alert]')].map(one => one.textContent?.trim())
  return {
    fileName: parts.checks.fileName,
    press,
    choose,
    alerts,
    end: () => act(async () => root.unmount()),
  }
}

const SAID = ['The trace was not saved: The app is not responding.']

test('the trace for a test', async () => {
  const { press, alerts, end } = await shown(TestForm)
  await press('Save trace')
  await vi.waitFor(() => expect(alerts()).toEqual(SAID))
  await end()
})

test('the trace as an export', async () => {
  const { fileName, press, choose, alerts, end } = await shown(ExportForm)
  await choose('trace')
  await press(`Save ${fileName}`)
  await vi.waitFor(() => expect(alerts()).toEqual(SAID))
  // The error is not shown for another kind.
  await choose('har')
  expect(alerts()).toEqual([])
  await end()
})
