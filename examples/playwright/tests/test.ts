// Playwright's `test`, which attaches the trace of the page's client to a failed test.
import { writeFile } from 'node:fs/promises'
import { test as base } from '@playwright/test'

export { expect } from '@playwright/test'

export const test = base.extend<{ readonly chartroomTrace: void }>({
  chartroomTrace: [
    async ({ page }, provide, testInfo) => {
      await provide()
      if (testInfo.status === testInfo.expectedStatus) return
      const bytes = await page.evaluate(async () => {
        const file = await window.chartroom?.recording.download()
        return file && [...new Uint8Array(await file.arrayBuffer())]
      })
      if (!bytes) return
      const path = testInfo.outputPath('chartroom.trace.gz')
      await writeFile(path, new Uint8Array(bytes))
      await testInfo.attach('chartroom.trace.gz', { path, contentType: 'application/gzip' })
    },
    { auto: true },
  ],
})
