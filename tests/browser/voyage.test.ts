// Two users in two browsers: their own rows, each other's presence and messages, and a recording that replays.
import { gunzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { readTrace, systems, verify } from '../../src/public/devtools/replay.ts'
import { bearer, signInRaw } from '../harness/auth.ts'
import { withHarbour } from '../harness/browser.ts'
import type { Credentials } from '../harness/workbench-page.ts'
import { databaseText, rowNotes, secretsOf } from '../harness/workbench-text.ts'

const test = withHarbour()

test('two users see their own rows live and meet on a topic; the recording replays and contains no secret', async ({
  harbour,
  openWorkbench,
}) => {
  const [skipper, mate] = [await openWorkbench(), await openWorkbench()]
  await skipper.openAs(harbour.account('skipper'), '/data/log_entries')
  await mate.openAs(harbour.account('mate'), '/data/log_entries')
  await skipper.liveMark.waitFor()
  await mate.liveMark.waitFor()
  const theirs = new Set(await rowNotes(mate))
  const ours = await rowNotes(skipper)
  expect([theirs.size > 0, ours.length > 0, ours.filter(note => theirs.has(note))]).toEqual([true, true, []])
  await skipper.addRow({ wind: 'SW 7', note: 'Third reef in, all well' })
  await skipper.row('Third reef in, all well').waitFor()
  await mate.addRow({ wind: 'N 2', note: 'Becalmed off the light' })
  await mate.row('Becalmed off the light').waitFor()

  // What the same user writes elsewhere.
  const elsewhere = await entriesOf(harbour.url, harbour.account('skipper'))
  await elsewhere('POST', '', JSON.stringify({ note: 'Seen from the cabin too' }))
  await skipper.row('Seen from the cabin too').waitFor()
  await elsewhere('DELETE', '?note=eq.Seen from the cabin too')
  await skipper.row('Seen from the cabin too').waitFor({ state: 'detached' })
  expect(await mate.row('Third reef in, all well').count()).toBe(0)
  expect(await skipper.row('Becalmed off the light').count()).toBe(0)

  await skipper.joinBridge()
  await mate.joinBridge()
  await skipper.present('mate').waitFor()
  await mate.present('skipper').waitFor()
  await skipper.sendMessage('Cast off')
  await mate.message('Cast off').waitFor()
  await mate.sendMessage('Lines clear')
  await skipper.message('Lines clear').waitFor()
  await mate.page.getByRole('button', { name: 'Leave' }).click()
  await skipper.present('mate').waitFor({ state: 'detached' })

  await skipper.goTo('Account')
  await skipper.page.getByRole('button', { name: 'Refresh now' }).click()
  await skipper.openConsole()
  await skipper.filterLog('token.rotated')
  await skipper.logRow('token.rotated').first().waitFor()
  const secrets = await secretsOf(skipper, harbour.account('skipper').password)
  expect(secrets.length).toBeGreaterThan(3)
  await skipper.console.getByRole('tab', { name: 'Context' }).click()
  const shown = (await skipper.page.content()) + skipper.page.url()
  expect(secrets.filter(secret => shown.includes(secret))).toEqual([])
  await expect.poll(() => databaseText(skipper)).toContain('refresh.succeeded')
  const database = await databaseText(skipper)
  expect(secrets.filter(secret => database.includes(secret))).toEqual([])

  await skipper.page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await skipper.signInForm.waitFor()
  const bytes = await skipper.downloadRecording()
  const text = gunzipSync(bytes).toString()
  expect(secrets.filter(secret => text.includes(secret))).toEqual([])
  const read = await readTrace(new Uint8Array(bytes))
  if (read.kind !== 'trace') throw new Error(read.message)
  const { outcome, compared } = verify(read.trace, systems)
  expect([outcome, compared]).toEqual(['exact', read.trace.steps.length])
  expect(compared).toBeGreaterThan(60)
})

/** Sends requests about log entries in another session of the user. */
async function entriesOf(url: string, account: Credentials) {
  const { key } = (await (await fetch(`${url}/_chartroom/config`)).json()) as { readonly key: string }
  const session = await signInRaw({ url, publishableKey: key }, account)
  const headers = { apikey: key, 'content-type': 'application/json', ...bearer(session) }
  return async (method: string, query: string, body?: string) => {
    const path = `${url}/rest/v1/log_entries${query}`
    const { ok } = await fetch(path, { method, headers, ...(body !== undefined && { body }) })
    expect(ok).toBe(true)
  }
}
