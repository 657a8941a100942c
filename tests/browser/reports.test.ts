// Triage of users' reports in the workbench: a member sees, filters, opens and closes them; another account
// learns how to become a member.
import postgres from 'postgres'
import { describe, expect } from 'vitest'
import { startHarbour } from '../../scripts/harbour.ts'
import { REPORTS_DEFAULTS, reportsSchema } from '../../src/cli/reports/schema.ts'
import { createChartroomClient } from '../../src/public/index.ts'
import { recordEverything } from '../../src/public/recording.ts'
import { reportTo } from '../../src/public/reports.ts'
import { memoryStorage } from '../../src/services/client/auth/session-store.ts'
import { axeComplaints } from '../harness/axe.ts'
import { CHEAP } from '../harness/backend.ts'
import { withBrowser } from '../harness/browser.ts'
import { withBug } from '../harness/bugged-client.ts'
import { WorkbenchPage } from '../harness/workbench-page.ts'

const test = withBrowser.extend('site', { scope: 'file' }, async ({}, { onCleanup }) => {
  const backend = await startHarbour({
    port: 0,
    data: 'memory',
    auth: CHEAP,
    isBuilt: true,
    databaseAccess: {},
  })
  const sql = postgres(backend.databaseUrl ?? '', { max: 1, onnotice: () => undefined })
  onCleanup(async () => {
    await sql.end()
    await backend.stop()
  })
  return { backend, sql }
})

type Site = Awaited<ReturnType<typeof startHarbour>>

/** A user of the app meets the bug. */
async function meetBug({ url, publishableKey }: Site): Promise<string> {
  const client = createChartroomClient(url, publishableKey, {
    auth: { storage: memoryStorage() },
    recording: withBug(recordEverything({ invariants: false })),
  })
  const reporter = reportTo(client, { on: ['invariant'], consent: () => true, appVersion: '1.4.0' })
  try {
    const sent = new Promise<string>((resolve, reject) => {
      reporter.onSettled((id, outcome) => {
        if (outcome.kind === 'sent') resolve(id)
        else if (outcome.kind !== 'declined') reject(new Error(JSON.stringify(outcome)))
      })
    })
    await client.supabase.from('vessels').select()
    return await sent
  } finally {
    reporter.dispose()
    await client.dispose()
  }
}

describe('reports', () => {
  test('a member triages, others learn how to become one', async ({ browser, site: { backend, sql } }) => {
    const open = async (name: string, path: string) => {
      const context = await browser.newContext({ reducedMotion: 'reduce' })
      const workbench = new WorkbenchPage(await context.newPage(), backend.url)
      const account = backend.accounts.find(({ email }) => email.startsWith(`${name}@`))
      if (!account) throw new Error(`no account ${name}`)
      await workbench.openAs(account, path)
      return workbench
    }
    // Without the tables.
    const early = await open('mate', '/reports')
    early.watch.allow(/404/)
    await early.page.getByText('npx chartroom reports init').waitFor()
    await early.page.context().close()

    await sql.unsafe(reportsSchema(REPORTS_DEFAULTS))
    await sql`insert into chartroom_report_members select id from auth.users where email like 'skipper@%'`
    await sql`notify pgrst, 'reload schema'`
    const id = await meetBug(backend)

    // Not a member, who opens a link to a moment.
    const mate = await open('mate', `/reports?report=${id}&step=5`)
    await mate.page.getByText(/insert into public\.chartroom_report_members .*'mate@/).waitFor()
    expect(await mate.sections.getByRole('link', { name: 'Reports', exact: true }).count()).toBe(0)
    expect(await axeComplaints(mate.page)).toEqual([])
    await mate.page.context().close()

    const { page, sections, console, watch } = await open('skipper', '/data')
    await sections.getByRole('link', { name: 'Reports', exact: true }).click()
    const groups = page.getByRole('listbox', { name: 'Groups' })
    const group = groups.getByRole('option', { name: /settlesOnce/ })
    await group.waitFor()
    await page.getByRole('textbox', { name: 'Search titles' }).fill('nothing like this')
    await page.getByText('No group matches').waitFor()
    await page.getByRole('textbox', { name: 'Search titles' }).fill('SETTLES')
    await group.focus()
    await page.keyboard.press('Enter')
    await page.getByText(`npx chartroom reports test ${id}`).waitFor()
    expect(await axeComplaints(page)).toEqual([])

    await page.getByRole('button', { name: 'Open in console' }).click()
    await console.getByText(`report-${id.slice(0, 8)}.trace.gz`).waitFor()
    await page.getByText(/Replayed and checked: it passes with this build/).waitFor()
    await console.getByRole('button', { name: 'Close console' }).click()

    await page.getByRole('textbox', { name: 'Fixed in version' }).fill('1.5.0')
    await page.getByRole('button', { name: 'Set fixed' }).click()
    await page.getByRole('button', { name: 'Reopen' }).waitFor()
    await groups.waitFor({ state: 'detached' })
    expect(await sql`select status, fixed_in from chartroom_report_groups`).toEqual([
      { status: 'fixed', fixed_in: '1.5.0' },
    ])
    expect(watch.problems()).toEqual([])
    await page.context().close()

    // A link to a moment.
    const linked = await open('skipper', `/reports?report=${id}&step=5`)
    await linked.console.getByText(`report-${id.slice(0, 8)}.trace.gz`).waitFor()
    expect(new URL(linked.page.url()).searchParams.get('step')).toBe('5')
    await linked.page.context().close()
  })
})
