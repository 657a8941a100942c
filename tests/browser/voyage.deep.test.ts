// Two users in two browsers: their own rows, each other's presence and messages, and a trace that replays.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { describe, expect, onTestFinished } from 'vitest'
import { withHarbour } from '../harness/browser.ts'
import { databaseText, rowNotes, secretsOf } from '../harness/workbench-text.ts'

const test = withHarbour()

describe('two users', () => {
  test('see only their own rows, and each change as it happens', async ({ harbour, openWorkbench }) => {
    const [skipper, mate] = [await openWorkbench(), await openWorkbench()]
    await skipper.openAs(harbour.account('skipper'), '/data/log_entries')
    await mate.openAs(harbour.account('mate'), '/data/log_entries')
    await skipper.rows.first().waitFor()
    await mate.rows.first().waitFor()
    const theirs = new Set(await rowNotes(mate))
    expect((await rowNotes(skipper)).filter(note => theirs.has(note))).toEqual([])

    await skipper.liveMark.waitFor()
    await mate.liveMark.waitFor()
    await skipper.addRow({ wind: 'SW 7', note: 'Third reef in, all well' })
    await skipper.row('Third reef in, all well').waitFor()
    await mate.addRow({ wind: 'N 2', note: 'Becalmed off the light' })
    await mate.row('Becalmed off the light').waitFor()
    expect(await mate.row('Third reef in, all well').count()).toBe(0)
    expect(await skipper.row('Becalmed off the light').count()).toBe(0)
  })

  test('with the same account in two browsers: a row written in one appears in the other', async ({
    harbour,
    openWorkbench,
  }) => {
    const [bridge, cabin] = [await openWorkbench(), await openWorkbench()]
    for (const place of [bridge, cabin]) {
      await place.openAs(harbour.account('skipper'), '/data/log_entries')
      await place.liveMark.waitFor()
    }
    await bridge.addRow({ wind: 'W 4', note: 'Seen from the cabin too' })
    await cabin.row('Seen from the cabin too').waitFor()
    await bridge.deleteRow('Seen from the cabin too')
    await cabin.row('Seen from the cabin too').waitFor({ state: 'detached' })
  })

  test('meet on the bridge: presence and messages', async ({ harbour, openWorkbench }) => {
    const [skipper, mate] = [await openWorkbench(), await openWorkbench()]
    await skipper.openAs(harbour.account('skipper'), '/realtime/bridge')
    await mate.openAs(harbour.account('mate'), '/realtime/bridge')
    await skipper.present('mate').waitFor()
    await mate.present('skipper').waitFor()
    await skipper.sendMessage('Cast off')
    await mate.message('Cast off').waitFor()
    await mate.sendMessage('Lines clear')
    await skipper.message('Lines clear').waitFor()
    await mate.page.getByRole('button', { name: 'Leave' }).click()
    await skipper.present('mate').waitFor({ state: 'detached' })
  })
})

test('a recording made in the browser replays exactly on the command line, and contains no secret', async ({
  harbour,
  workbench,
}) => {
  await workbench.open('/data/log_entries')
  await workbench.submitSignIn(harbour.account('skipper'))
  await workbench.liveMark.waitFor()
  await workbench.addRow({ wind: 'E 5', note: 'For the record' })
  await workbench.joinBridge()
  await workbench.sendMessage('On the record')
  await workbench.goTo('Account')
  await workbench.page.getByRole('button', { name: 'Refresh now' }).click()
  await workbench.openConsole()
  await workbench.filterLog('token.rotated')
  await workbench.logRow('token.rotated').first().waitFor()
  const secrets = await secretsOf(workbench, harbour.account('skipper').password)
  await workbench.console.getByRole('tab', { name: 'Context' }).click()
  const shown = (await workbench.page.content()) + workbench.page.url()
  expect(secrets.filter(secret => shown.includes(secret))).toEqual([])
  await expect.poll(() => databaseText(workbench)).toContain('refresh.succeeded')
  const database = await databaseText(workbench)
  expect(secrets.filter(secret => database.includes(secret))).toEqual([])
  await workbench.page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await workbench.signInForm.waitFor()
  const bytes = await workbench.downloadRecording()

  const folder = await mkdtemp(join(tmpdir(), 'chartroom-browser-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'voyage.trace.gz')
  await writeFile(file, bytes)
  const main = join(import.meta.dirname, '../../src/cli/main.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'replay', file, '--json'])
  const report = JSON.parse(stdout) as { outcome: string; steps: number; compared: number }
  expect(report).toMatchObject({ outcome: 'exact', machines: [], damage: [] })
  expect(report.compared).toBe(report.steps)
  expect(report.steps).toBeGreaterThan(60)

  const text = gunzipSync(bytes).toString()
  expect(secrets.length).toBeGreaterThan(3)
  expect(secrets.filter(secret => text.includes(secret))).toEqual([])
})
