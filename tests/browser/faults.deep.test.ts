// Work in progress through an unreachable backend and lost sessions, one kind at a time: nothing is lost.
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import type { Fault } from '../../backend/faults/index.ts'
import { withHarbour } from '../harness/browser.ts'
import type { Credentials, WorkbenchPage } from '../harness/workbench-page.ts'

const test = withHarbour()

/** What Chromium itself reports when a request fails or is rejected. */
const NETWORK = [/Failed to load resource/, /ERR_/]

describe('work in progress', () => {
  const fault = async (page: Page, url: string, ...faults: readonly Fault[]) => {
    const answer = await page.request.put(`${url}/_chartroom/faults`, { data: { faults } })
    expect(answer.status()).toBe(200)
  }
  const silence = (when: NonNullable<Fault['when']>): Fault => ({ when, do: { lost: 'request' } })

  /** How often a fault hit. */
  const hitsOf = async (page: Page, url: string, id: string): Promise<number> => {
    const answer = await page.request.get(`${url}/_chartroom/faults`)
    const { hits } = (await answer.json()) as { readonly hits: readonly { readonly fault: string }[] }
    return hits.filter(hit => hit.fault === id).length
  }

  /** The session is removed while the page is open, and its user signs in again. */
  const loseSession = async (workbench: WorkbenchPage, url: string, account: Credentials) => {
    const { page } = workbench
    await page.evaluate(key => {
      localStorage.removeItem(key)
      dispatchEvent(new StorageEvent('storage', { key, newValue: null, storageArea: localStorage }))
    }, `chartroom.session.${url}`)
    await workbench.submitSignIn(account)
    await workbench.sections.waitFor()
  }

  /** Into the first row's cell, which stays open. */
  const typeIntoWind = async (page: Page, text: string) => {
    await page.getByRole('grid', { name: 'Rows of log_entries' }).focus()
    for (const key of ['ControlOrMeta+Home', 'ArrowRight', 'ArrowRight', 'ArrowRight'])
      await page.keyboard.press(key)
    await page.keyboard.type(text)
  }

  test('cells and imports: an unreachable backend and a lost session lose nothing', async ({
    harbour,
    workbench,
  }) => {
    const { page, watch } = workbench
    watch.allow(...NETWORK)
    const { url } = harbour
    await workbench.openAs(harbour.account('skipper'), '/data/log_entries')
    await workbench.liveMark.waitFor()
    const notSaved = page.getByRole('region', { name: 'Unsaved changes' })

    // No response: the edit waits, also on another page, and is then saved automatically.
    await fault(page, url, silence({ family: 'rest', method: 'PATCH' }))
    await typeIntoWind(page, 'Zephyr 4')
    await page.keyboard.press('Enter')
    await notSaved.getByText('The backend is not responding.').waitFor()
    await workbench.goTo('Functions')
    await fault(page, url)
    await page.goBack()
    await notSaved.waitFor({ state: 'detached' })
    await workbench.row('Zephyr 4').waitFor()

    // The session ends while the user types.
    await typeIntoWind(page, 'Zephyr 7')
    await loseSession(workbench, url, harbour.account('skipper'))
    await notSaved.getByText('You left the page while typing this.').waitFor()
    await notSaved.getByRole('button', { name: 'Retry' }).click()
    await notSaved.waitFor({ state: 'detached' })
    await workbench.row('Zephyr 7').waitFor()

    // An import after its first 500 rows; the next user sees nothing of it.
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    const dialog = page.getByRole('dialog')
    const rows = Array.from({ length: 1_100 }, (_, n) => `entry ${n + 1}`)
    await dialog.getByLabel('Or paste rows').fill(`note\n${rows.join('\n')}\n`)
    await dialog.getByRole('button', { name: 'Read pasted rows' }).click()
    // What was read and checked is still there after a sign-in.
    await dialog.getByRole('button', { name: 'Import 1,100 rows' }).waitFor()
    await loseSession(workbench, url, harbour.account('skipper'))
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await fault(page, url, { when: { family: 'rest', method: 'POST', from: 2 }, do: { hold: 'request' } })
    await dialog.getByRole('button', { name: 'Import 1,100 rows' }).click()
    await dialog.getByText('500 of 1,100 rows').waitFor()
    await loseSession(workbench, url, harbour.account('mate'))
    await page.getByRole('button', { name: 'Import', exact: true }).waitFor()
    await loseSession(workbench, url, harbour.account('skipper'))
    await fault(page, url)
    await page.getByRole('button', { name: 'Import 45 %' }).click()
    await dialog.getByText(/500 rows may or may not be in the table/).waitFor()
    await dialog.getByRole('button', { name: 'Send again' }).click()
    await dialog.getByText('All 1,100 rows imported').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await workbench.row('entry 1100').waitFor()
  })

  test('an upload resumes where it was, and a second factor can still be set up', async ({
    harbour,
    workbench,
  }) => {
    const { page, watch } = workbench
    watch.allow(...NETWORK)
    const { url } = harbour
    await workbench.openAs(harbour.account('skipper'), '/files/charts')
    await page.getByRole('link', { name: 'My files' }).click()
    await page.getByRole('grid', { name: 'Files in charts' }).waitFor()
    const uploads = page.getByRole('region', { name: 'Uploads' })
    const part = { family: 'storage', method: 'PATCH' } as const
    await fault(page, url, { id: 'third', when: { ...part, from: 3 }, do: { hold: 'request' } })
    await page
      .locator('input[type=file]')
      .last()
      .setInputFiles({
        name: 'soundings.bin',
        mimeType: 'application/octet-stream',
        buffer: Buffer.alloc(15e6, 5),
      })
    await expect.poll(() => hitsOf(page, url, 'third')).toBe(1)
    await loseSession(workbench, url, harbour.account('mate'))
    await page.getByText('charts').first().waitFor()
    expect(await uploads.count()).toBe(0)
    await fault(page, url, { id: 'parts', when: part, do: { delay: 1 } })
    await loseSession(workbench, url, harbour.account('skipper'))
    await uploads.getByText('1 of 1 file').waitFor()
    // Only the last part was still to be sent.
    expect(await hitsOf(page, url, 'parts')).toBe(1)

    // The response is lost after the factor was created.
    await workbench.goTo('Account')
    await page.getByRole('tab', { name: 'Security' }).click()
    await fault(page, url, {
      when: { path: '/auth/v1/factors', method: 'POST' },
      times: 1,
      do: { lost: 'response' },
    })
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    const form = page.getByRole('form', { name: 'New authenticator app' })
    await form.getByLabel('Name').fill('My phone')
    await form.getByRole('button', { name: 'Continue' }).click()
    await form
      .getByRole('alert')
      .or(page.getByRole('form', { name: 'First code' }))
      .first()
      .waitFor()
    if (await form.isVisible()) await form.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('form', { name: 'First code' }).waitFor()
  })
})
