// From a user's report to its end, with two browsers: an app's user meets a planted bug; a member sees, filters and
// opens the report in the workbench, and shares a moment; the build that fixes it closes it. Another account learns
// how to become a member. The test that is made of a report is in tests/backend/reports/report-to-test.test.ts.
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import postgres from 'postgres'
import { describe, expect } from 'vitest'
import { startHarbour } from '../../scripts/harbour.ts'
import { REPORTS_DEFAULTS, reportsSchema } from '../../src/cli/reports/schema.ts'
import { axeComplaints } from '../harness/axe.ts'
import { CHEAP } from '../harness/backend.ts'
import { withBrowser } from '../harness/browser.ts'
import { bundled } from '../harness/bundled.ts'
import { runCli } from '../harness/cli-process.ts'
import { atFileEnd } from '../harness/endings.ts'
import { watchPage } from '../harness/page-watch.ts'
import { WorkbenchPage } from '../harness/workbench-page.ts'

const test = withBrowser.extend('site', { scope: 'file' }, async () => {
  const backend = await startHarbour({
    port: 0,
    data: 'memory',
    auth: CHEAP,
    isBuilt: true,
    databaseAccess: {},
  })
  const sql = postgres(backend.databaseUrl ?? '', { max: 1, onnotice: () => undefined })
  atFileEnd(async () => {
    await sql.end()
    await backend.stop()
  })
  return { backend, sql }
})

type Site = Awaited<ReturnType<typeof startHarbour>>

const BUGGED = fileURLToPath(new URL('../harness/bugged-client.ts', import.meta.url))

/** In a separate browser, a user of an app meets the bug and adds a note. Returns the ids of both reports. */
async function meetBug(browser: Browser, { url, publishableKey }: Site, version: string) {
  const parts = await bundled({ rollupOptions: { input: 'tests/harness/reported-app.tsx' } })
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  for (const part of parts) {
    if (part.type !== 'chunk') continue
    const { fileName, code, isEntry } = part
    await context.route(`${url}/${fileName}`, route =>
      route.fulfill({ contentType: 'text/javascript', body: code }),
    )
    const body = `<!doctype html><body><script type="module" src="/${fileName}"></script>`
    if (isEntry) await context.route(/\/app\?/, route => route.fulfill({ contentType: 'text/html', body }))
  }
  const page = await context.newPage()
  const sent = async (act: () => Promise<void>) => {
    const row = page.waitForResponse(response => response.url().includes('/rest/v1/chartroom_reports'))
    const done = page.waitForResponse(
      response => response.url().includes('/object/chartroom-reports/') && response.ok(),
    )
    await act()
    const { id } = (await row).request().postDataJSON() as { readonly id: string }
    await done
    return id
  }
  const watch = watchPage(page)
  await page.goto(`${url}/app?key=${publishableKey}&version=${version}`)
  const found = await sent(() => page.getByRole('button', { name: 'Load vessels' }).click())
  const told = await sent(async () => {
    await page.getByRole('button', { name: 'Report a problem' }).click()
    await page.getByRole('textbox', { name: 'What happened?' }).fill('The list is empty.')
    await page.getByRole('button', { name: 'Send report' }).click()
    await page.getByText('The report is saved').waitFor()
  })
  expect(watch.problems()).toEqual([])
  await context.close()
  return { found, told }
}

describe('reports', () => {
  test('a member triages until the bug is fixed, others learn how to become one', async ({
    browser,
    site: { backend, sql },
  }) => {
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
    await early.page.getByText('npm run -s chartroom -- reports init').waitFor()
    await early.page.context().close()

    await sql.unsafe(reportsSchema(REPORTS_DEFAULTS))
    await sql`insert into chartroom_report_members select id from auth.users where email like 'skipper@%'`
    await sql`notify pgrst, 'reload schema'`
    const { found: id, told } = await meetBug(browser, backend, '1.4.0')

    // Not a member, who opens a link to a moment.
    const mate = await open('mate', `/reports?report=${id}&step=5`)
    await mate.page.getByText(/insert into public\.chartroom_report_members .*'mate@/).waitFor()
    expect(await mate.sections.getByRole('link', { name: /^Reports/ }).count()).toBe(0)
    expect(await axeComplaints(mate.page)).toEqual([])
    await mate.page.context().close()

    const { page, sections, console, watch } = await open('skipper', '/data')
    await sections.getByRole('link', { name: /^Reports/ }).click()
    const groups = page.getByRole('listbox', { name: 'Groups' })
    const group = groups.getByRole('option', { name: /settlesOnce/ })
    await group.waitFor()
    await page.getByRole('textbox', { name: 'Search words' }).fill('nothing like this')
    await page.getByText('No group matches').waitFor()
    await page.getByRole('textbox', { name: 'Search words' }).fill('SETTLES')
    await group.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Open in console' }).click()
    await console.getByText(`report-${id.slice(0, 8)}.trace.gz`).waitFor()
    await page.getByText(/Replayed and checked: it passes with this build/).waitFor()
    await page.getByText(`npm run -s chartroom -- reports test ${id}`).waitFor()
    expect(await axeComplaints(page)).toEqual([])
    await console.getByRole('button', { name: 'Close console' }).click()

    await page.getByRole('textbox', { name: 'Fixed in version' }).fill('1.5.0')
    await page.getByRole('button', { name: 'Set fixed' }).click()
    await page.getByRole('button', { name: 'Reopen' }).waitFor()
    await group.waitFor({ state: 'detached' })
    expect(await sql`select status, fixed_in from chartroom_report_groups where cause = 'invariant'`).toEqual(
      [{ status: 'fixed', fixed_in: '1.5.0' }],
    )
    expect(watch.problems()).toEqual([])
    await page.context().close()

    // What the user reported has the note.
    const noted = await open('skipper', `/reports?report=${told}`)
    await noted.page.getByRole('heading', { name: 'The list is empty.' }).waitFor()
    await noted.page.context().close()

    // A link to a moment.
    const linked = await open('skipper', `/reports?report=${id}&step=5`)
    await linked.console.getByText(`report-${id.slice(0, 8)}.trace.gz`).waitFor()
    expect(new URL(linked.page.url()).searchParams.get('step')).toBe('5')
    const { page: other } = linked

    // The report is closed by the build that fixes it, and the member sees that.
    await sql`update chartroom_report_groups set status = 'open', fixed_in = null where cause = 'invariant'`
    const secrets = { SUPABASE_URL: backend.url, SUPABASE_SECRET_KEY: backend.secretKey }
    const driven = (...flags: string[]) => runCli(['reports', 'drive', ...flags], secrets)
    expect(await driven('--machines', BUGGED, '--enter', '1.4.0')).toMatchObject({ code: 0 })
    const { out } = await driven('--enter', '1.5.0', '--close')
    expect(out).toMatch(/^CLOSED .*settlesOnce/m)
    await other.getByRole('button', { name: 'Refresh' }).click()
    await other.getByText('fixed in 1.5.0').first().waitFor()
    await other.context().close()
  }, 240_000)
})
