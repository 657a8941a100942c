// Where a Chromium is searched, and in which order.
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { bringHeadlessShell, browserForTests, findChromium } from '../../scripts/chromium.ts'

let dir: string

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'chartroom-chromium-'))
  vi.stubEnv('PATH', [dir, process.env['PATH']].join(delimiter))
  vi.stubEnv('CHROMIUM_PATH', '')
})

afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(dir, { recursive: true, force: true })
})

async function program(name: string, mode = 0o755): Promise<string> {
  const path = join(dir, name)
  await writeFile(path, '#!/bin/sh\n')
  await chmod(path, mode)
  return path
}

test('CHROMIUM_PATH is used first', async () => {
  await program('chromium')
  const chosen = await program('my-browser')
  vi.stubEnv('CHROMIUM_PATH', chosen)
  expect(await findChromium()).toBe(chosen)
})

test('an invalid CHROMIUM_PATH is an error, not a reason to search further', async () => {
  await program('chromium')
  const chosen = await program('notes.txt', 0o644)
  vi.stubEnv('CHROMIUM_PATH', chosen)
  await expect(findChromium()).rejects.toThrow(`CHROMIUM_PATH is ${chosen}, which is not an executable.`)
})

test.each(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'])(
  'finds %s on the PATH and skips files that are not executable',
  async name => {
    vi.stubEnv('PATH', dir)
    for (const other of ['chromium', 'google-chrome']) if (other !== name) await program(other, 0o644)
    const found = await program(name)
    expect(await findChromium()).toBe(found)
  },
)

test('the tests use the headless shell that was found for them, or a Chromium', async () => {
  vi.stubEnv('CHROMIUM_HEADLESS_SHELL', '/usr/bin/some-shell')
  expect(await browserForTests()).toBe('/usr/bin/some-shell')
  vi.stubEnv('CHROMIUM_HEADLESS_SHELL', undefined)
  const chosen = await program('my-browser')
  vi.stubEnv('CHROMIUM_PATH', chosen)
  expect(await browserForTests()).toBe(chosen)
})

test('a Chromium that is not of Debian is its own headless shell', async () => {
  expect(await bringHeadlessShell('/opt/chrome')).toBe('/opt/chrome')
})
