// The console in a separate window.
import type { Page } from 'playwright-core'

/** Moves the console back into the app, which closes its window: in the middle of the click, or after it. */
export async function dock(window: Page): Promise<void> {
  const closed = window.waitForEvent('close')
  const button = window.getByRole('button', { name: 'Dock the console in the app' })
  await button.click().catch((error: unknown) => {
    if (!window.isClosed()) throw error
  })
  await closed
}
