// The first thing a newcomer does: open the app, sign in with a demo account, look around.
import { expect } from 'vitest'
import { withHarbour } from '../harness/browser.ts'

const test = withHarbour()

test('a demo account signs in and finds every section', async ({ workbench, harbour }) => {
  await workbench.signInAs(harbour.account('skipper'))
  for (const section of ['Files', 'Functions', 'Realtime', 'Account', 'Connections', 'Data'] as const) {
    await workbench.goTo(section)
    await expect
      .poll(() => new URL(workbench.page.url()).pathname)
      .toMatch(new RegExp(`^/${section.toLowerCase()}`))
  }
})

test('a wrong password is refused in words, and the form stays', async ({ workbench, harbour }) => {
  workbench.watch.allow(/status of 400/)
  await workbench.open()
  await workbench.submitSignIn({ ...harbour.account('mate'), password: 'wrong' })
  await workbench.signInForm.getByRole('alert').waitFor()
  expect(await workbench.sections.isVisible()).toBe(false)
})

test('the console opens under the work', async ({ workbench, harbour }) => {
  await workbench.signInAs(harbour.account('skipper'))
  const console = await workbench.openConsole()
  await console.getByRole('treegrid').waitFor()
  expect(await workbench.sections.isVisible()).toBe(true)
})
