// The line over the page while the console shows a past moment: which event, what shows it, and the ways back.
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { batchOf } from '../../../../src/trace/index.ts'
import { PastLine } from '../../../../src/ui/app/past/past-line.tsx'
import { createPast } from '../../../../src/ui/app/past/past.ts'
import { PAGE_ID } from '../../../../src/ui/app/shell/skip-links.tsx'
import { press } from '../../../harness/by-role.tsx'
import { credentials, signIn, startClient } from '../../../harness/client.ts'
import { renderAlone } from '../../../harness/react.tsx'

/** The line of a client that signed in, and a function that shows a step of its recording. */
async function opened() {
  const { client } = startClient(signIn)
  await client.auth.signInWithPassword(credentials)
  const past = createPast(client)
  const page = await renderAlone(
    <main id={PAGE_ID} tabIndex={-1}>
      <PastLine past={past} />
    </main>,
  )
  const { steps, actors } = batchOf(client.recording.trace, Infinity)
  const toNow = vi.fn<() => void>(() => past.show(undefined))
  const show = (step: number, isStatusRecorded = true) =>
    act(async () =>
      past.show({
        step,
        t: steps[step]?.t ?? Number.NaN,
        latest: path =>
          isStatusRecorded
            ? steps.findLast(({ seq, actor }) => seq <= step && actors[actor]?.path === path)
            : undefined,
        toNow,
      }),
    )
  return { client, past, page, show, toNow, last: steps.length - 1 }
}

test('names the event, and the status is the one of that event', async () => {
  const { client, past, page, show, last } = await opened()
  expect(page.text()).toBe('')
  await show(last)
  expect(past.client.status().session.phase).toBe('authenticated')
  await show(2)
  expect(page.text()).toMatch(/^Event 2, \d\d?:\d\d:\d\d\s[AP]M/)
  expect(page.text()).toContain('The bar shows the status of that moment; the page is live.')
  expect(past.client.status().session.phase).not.toBe('authenticated')
  expect(client.status().session.phase).toBe('authenticated')
})

test('without a recorded status of that event, the present one stays', async () => {
  const { client, past, page, show } = await opened()
  await show(2, false)
  expect(page.text()).toContain('Its status of then is not in the recording.')
  expect(past.client.status()).toEqual(client.status())
})

test('a press in the page shows the present status, and the line stays', async () => {
  const { past, page, show, last } = await opened()
  await show(2)
  await act(async () => document.body.click())
  expect(past.state()?.isShown).toBe(false)
  expect(page.text()).toContain('Only the console shows this moment; the app is live.')
  await show(last)
  expect(past.state()?.isShown).toBe(true)
})

test('its button returns the console to the present, and the focus to the page', async () => {
  const { page, show, toNow } = await opened()
  await show(2)
  await press('Back to now')
  expect(toNow).toHaveBeenCalledOnce()
  expect(page.text()).toBe('')
  expect(document.activeElement?.id).toBe(PAGE_ID)
})
