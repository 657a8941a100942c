// Agents and a page of `vite dev`: listed, looked into and controlled in a browser.
import { expect } from 'vitest'
import { joinApps } from '../../src/cli/mcp/live.ts'
import { Roots } from '../../src/cli/mcp/roots.ts'
import { viteApps } from '../../src/cli/mcp/vite-apps.ts'
import { withBrowser } from '../harness/browser.ts'
import { connectMcp, toolCaller } from '../harness/mcp.ts'
import { PATIENCE } from '../harness/shared-page.ts'
import { serveApp } from '../harness/vite-plugin-server.ts'

const test = withBrowser.extend('app', async ({}, { onCleanup }) => serveApp('vite-app', onCleanup))

test('a lamp of a page is switched by an agent', async ({ app: { folder, url }, browser }) => {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(PATIENCE)
    await page.goto(url)
    await page.getByRole('button', { name: 'Lamp: off' }).click()
    const live = joinApps([viteApps(new Roots([folder]))])
    const call = toolCaller(await connectMcp({ roots: [folder], live, allowsControl: true }))
    const { text } = await call('recordings', { kind: 'live' })
    const lamp = /(live:vite-\S+) "lamp" of vite dev/i.exec(text)?.[1]
    expect(lamp).toBeDefined()
    const events = await call('events', { recording: lamp, latest: true })
    const type = /: (\w+) → on/.exec(events.text)?.[1]
    expect(type).toBeDefined()
    await call('send', { app: lamp, event: JSON.stringify({ type }) })
    await page.getByRole('button', { name: 'Lamp: off' }).waitFor()
  } finally {
    await context.close()
  }
})
