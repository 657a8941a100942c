// The console over a real client and over files: what it shows live, what it does with a bad file.
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { withHarbour } from '../harness/browser.ts'
import type { WorkbenchPage } from '../harness/workbench-page.ts'

const test = withHarbour()

const openFile = async ({ page }: WorkbenchPage, name: string, buffer: Buffer) => {
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Open a trace file' }).click()
  await (await choosing).setFiles({ name, mimeType: 'application/gzip', buffer })
}

/** Signs in, does a little, and gives the recording of it. */
const record = async (workbench: WorkbenchPage, account: { email: string; password: string }) => {
  await workbench.open('/data/vessels')
  await workbench.submitSignIn(account)
  await workbench.liveMark.waitFor()
  return workbench.downloadRecording()
}

describe('live', () => {
  test('opens by key, lists the actors with their states, draws the chosen one', async ({
    harbour,
    workbench,
  }) => {
    await workbench.signInAs(harbour.account('skipper'))
    await workbench.page.keyboard.press('Control+`')
    const console = workbench.console
    await console.waitFor()
    await console.getByRole('row', { name: /^session, authenticated/ }).click()
    await console.getByRole('img', { name: /session/ }).waitFor()
    await console.getByRole('row', { name: /^connection/ }).click()
    await console.getByRole('img', { name: /connection/ }).waitFor()
    await workbench.page.keyboard.press('Control+`')
    await console.waitFor({ state: 'detached' })
  })

  test('filters the log and says how much it hides', async ({ harbour, workbench }) => {
    await workbench.signInAs(harbour.account('skipper'))
    await workbench.openConsole()
    await workbench.filterLog('session.started')
    await workbench.logRow('session.started').first().waitFor()
    await workbench.console.getByText(/\d+ of \d+ · \d+ hidden/).waitFor()
    expect(await workbench.logRow('request.start').count()).toBe(0)
  })

  test('stop, and record anew: the new recording is sound too', async ({ harbour, workbench }) => {
    await workbench.signInAs(harbour.account('skipper'))
    await workbench.openConsole()
    await workbench.console.getByRole('button', { name: 'Stop recording' }).click()
    await workbench.console.getByRole('button', { name: 'Record anew' }).click()
    await workbench.page.getByRole('alertdialog').getByRole('button', { name: 'Record anew' }).click()
    await workbench.goTo('Realtime')
    await workbench.present('skipper').waitFor()
    const lines = gunzipSync(await workbench.downloadRecording())
      .toString()
      .trim()
      .split('\n')
    expect(lines.filter(line => line.includes('"line":"keyframe"'))).toHaveLength(1)
  })
})

describe('a file', () => {
  test('is stepped through with the same views, and left again for live', async ({ harbour, workbench }) => {
    const bytes = await record(workbench, harbour.account('skipper'))
    await openFile(workbench, 'morning.trace.gz', bytes)
    await workbench.console.getByText('morning.trace.gz').first().waitFor()
    await workbench.filterLog('session.started')
    await workbench.logRow('session.started').first().click()
    await workbench.console.getByText(/PAST/).first().waitFor()
    await workbench.console.getByRole('row', { name: /^session, booting/ }).waitFor({ state: 'detached' })
    await workbench.console.getByRole('button', { name: 'Event before' }).click()
    await workbench.console.getByRole('button', { name: /^Close (the )?file|^Close morning/ }).click()
    await workbench.console.getByText('morning.trace.gz').first().waitFor({ state: 'detached' })
  })

  test('of a newer format is refused by name, and nothing is lost', async ({ harbour, workbench }) => {
    const bytes = await record(workbench, harbour.account('skipper'))
    const newer = gzipSync(gunzipSync(bytes).toString().replace('"format":1', '"format":7'))
    await openFile(workbench, 'newer.trace.gz', newer)
    await workbench.console.getByRole('alert').filter({ hasText: 'format 7' }).waitFor()
    await workbench.filterLog('session.started')
    await workbench.logRow('session.started').first().waitFor()
  })

  test('that was cut short is opened as far as it goes, with the damage told', async ({
    harbour,
    workbench,
  }) => {
    const bytes = await record(workbench, harbour.account('skipper'))
    await openFile(workbench, 'short.trace.gz', bytes.subarray(0, Math.floor(bytes.length * 0.7)))
    await workbench.console
      .getByRole('alert')
      .filter({ hasText: /damaged|cut short|truncated/i })
      .waitFor()
    await workbench.console.getByText('short.trace.gz').first().waitFor()
  })

  test('that is no trace is refused plainly', async ({ harbour, workbench }) => {
    await record(workbench, harbour.account('skipper'))
    await openFile(workbench, 'shopping.txt', Buffer.from('bread\nmilk\n'))
    const alert = workbench.console.getByRole('alert').filter({ hasText: 'shopping.txt' })
    await alert.waitFor()
    expect(await alert.innerText()).toMatch(/not a (Chartroom )?trace|no trace/i)
  })
})
