// The button that reports a problem: what it sends, what it says about the outcome, and when it is asked again.
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { ReportButton } from '../../src/public/devtools/react.ts'
import type { NewReport, Reported } from '../../src/public/devtools/reports.ts'
import { eventually, renderAlone } from '../harness/react.tsx'

// Node's own does not know the forms of the simulated page.
vi.stubGlobal('FormData', window.FormData)

const report = vi.fn<(given?: NewReport) => Promise<Reported>>()

async function opened(props: Partial<Parameters<typeof ReportButton>[0]> = {}) {
  report.mockReset().mockResolvedValue({ kind: 'stored', id: 'r1' })
  const page = await renderAlone(<ReportButton reporter={{ report }} {...props} />)
  await page.click()
  const dialog = () => document.querySelector('dialog') as HTMLDialogElement
  const labelled = (text: string) =>
    [...dialog().querySelectorAll('label')].find(label => label.textContent.includes(text))
  const button = (name: string) =>
    [...dialog().querySelectorAll('button')].find(({ textContent }) => textContent === name)
  return {
    dialog,
    labelled,
    press: (name: string) => act(async () => button(name)?.click()),
    type: (text: string) =>
      act(async () => {
        const box = dialog().querySelector('textarea')
        if (box) box.value = text
      }),
    tick: (text: string) => act(async () => labelled(text)?.querySelector('input')?.click()),
    status: () => dialog().querySelector('[role=status]')?.textContent,
    fields: () => dialog().querySelector('fieldset') as HTMLFieldSetElement,
    ...page,
  }
}

test('sends the note, and the account only if its box is ticked', async () => {
  const { dialog, type, tick, press, status, fields } = await opened()
  expect(dialog().open).toBe(true)
  expect(dialog().textContent).toContain('no passwords or sign-in tokens')
  await type('It hangs.')
  await press('Send report')
  await eventually(() => expect(status()).toMatch(/^Thank you/))
  expect(report).toHaveBeenLastCalledWith({ note: 'It hangs.', withUser: false })
  // What was sent is gone from the screen.
  expect(fields().hidden).toBe(true)
  expect(fields().style.display).toBe('')
  await press('Close')
  expect(dialog().open).toBe(false)

  await act(async () => document.querySelector<HTMLElement>('.chartroom-report-button')?.click())
  expect([fields().hidden, status()]).toEqual([false, ''])
  await tick('Include my account')
  await press('Send report')
  await eventually(() => expect(report).toHaveBeenLastCalledWith({ note: '', withUser: true }))
})

test('offers a picture only where the browser can take one, and the account only where the app allows it', async () => {
  const bare = await opened({ account: false })
  expect([bare.labelled('picture'), bare.labelled('account')]).toEqual([undefined, undefined])
  await bare.unmount()
  const full = await opened({ picture: true })
  expect(full.labelled('Include a picture')).toBeDefined()
})

test('says why there is no report, and keeps the note', async () => {
  const { type, press, status, dialog } = await opened()
  report.mockResolvedValue({ kind: 'declined', reason: 'budget' })
  await type('It hangs.')
  await press('Send report')
  await eventually(() => expect(status()).toMatch(/try again tomorrow/))
  expect(dialog().querySelector('textarea')?.value).toBe('It hangs.')
})

test('a failure has its reason, also an unexpected one', async () => {
  const { press, status } = await opened({ texts: { failed: 'Nicht gespeichert.' } })
  report.mockResolvedValue({ kind: 'lost', failure: { kind: 'storage', message: 'The disk is full.' } })
  await press('Send report')
  await eventually(() => expect(status()).toBe('Nicht gespeichert. The disk is full.'))
  await press('Close')
  await act(async () => document.querySelector<HTMLElement>('.chartroom-report-button')?.click())
  report.mockRejectedValue(new Error('planted'))
  await press('Send report')
  await eventually(() => expect(status()).toBe('Nicht gespeichert.'))
})
