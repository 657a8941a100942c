// Finds a Chromium for the browser tests, or installs one.
import { accessSync, constants } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright-core'
import { runTool } from './tool.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

const DEBIAN = '/usr/bin/chromium'
const DEBIAN_SHELL = '/usr/bin/chromium-headless-shell'

const apps = ['Google Chrome', 'Chromium', 'Google Chrome for Testing'].flatMap(app =>
  ['/Applications', join(homedir(), 'Applications')].map(dir =>
    join(dir, `${app}.app/Contents/MacOS/${app}`),
  ),
)

/**
 * Finds a Chromium on this machine: `CHROMIUM_PATH`, then the usual names on the PATH, the usual macOS
 * locations, and earlier Playwright downloads.
 * @throws Error if `CHROMIUM_PATH` is set but is not an executable
 */
export async function findChromium(): Promise<string | undefined> {
  const chosen = process.env['CHROMIUM_PATH']
  if (chosen) {
    if (isProgram(chosen)) return chosen
    throw new Error(`CHROMIUM_PATH is ${chosen}, which is not an executable.`)
  }
  const onPath = names.flatMap(name =>
    (process.env['PATH'] ?? '').split(delimiter).map(dir => join(dir, name)),
  )
  const places = [...onPath, DEBIAN, '/snap/bin/chromium', ...apps, chromium.executablePath()]
  return places.find(isProgram) ?? (await downloadedBefore())
}

/** Finds a Chromium or installs one. Returns undefined if that fails too; the reasons are printed. */
export async function bringChromium(): Promise<string | undefined> {
  const found = await findChromium()
  if (found) return found
  if (mayInstall()) {
    console.log('No Chromium found: installing it with apt-get.')
    await install('chromium')
    const installed = await findChromium()
    if (installed) return installed
  }
  console.log('No Chromium found: downloading the build that Playwright offers.')
  await runTool('playwright-core', ['install', 'chromium'], { output: 'inherit' })
  return findChromium()
}

/**
 * Finds the headless shell that belongs to a Chromium, or installs it: the same engine without a window, which takes
 * a third less of the processor's time. Returns `chromium` itself where there is none.
 */
export async function bringHeadlessShell(chromium: string): Promise<string> {
  if (chromium !== DEBIAN) return chromium
  if (!isProgram(DEBIAN_SHELL) && mayInstall()) {
    console.log('No headless shell of Chromium found: installing it with apt-get.')
    await install('chromium-headless-shell')
  }
  return isProgram(DEBIAN_SHELL) ? DEBIAN_SHELL : chromium
}

const mayInstall = (): boolean => process.getuid?.() === 0 && isProgram('/usr/bin/apt-get')

async function install(name: string): Promise<void> {
  process.env['DEBIAN_FRONTEND'] = 'noninteractive'
  await runTool('apt-get', ['update'], { output: 'inherit' })
  await runTool('apt-get', ['install', '-y', '--no-install-recommends', name], { output: 'inherit' })
}

/**
 * The browser of the tests: the headless shell that `npm test` found, or any Chromium.
 * @throws Error if there is none
 */
export async function browserForTests(): Promise<string> {
  return process.env['CHROMIUM_HEADLESS_SHELL'] ?? (await chromiumForTests())
}

/**
 * For tests of what the headless shell does not have, such as extensions and the PDF viewer.
 * @throws Error if there is none
 */
export async function chromiumForTests(): Promise<string> {
  const found = await findChromium()
  if (found === undefined) throw new Error(noChromium)
  return found
}

/** The message for a machine that has no Chromium and cannot install one. */
export const noChromium = [
  'The browser tests need a Chromium, and none was found or could be installed.',
  'Install Chromium or Google Chrome (Debian: apt-get install chromium; macOS: brew install --cask chromium),',
  'or set CHROMIUM_PATH to one. To run the other tests: npm test -- --project "!browser"',
].join('\n')

/** Playwright keeps each release in a separate folder; another Playwright version may have left one. */
async function downloadedBefore(): Promise<string | undefined> {
  const caches = [
    process.env['PLAYWRIGHT_BROWSERS_PATH'],
    join(homedir(), '.cache/ms-playwright'),
    join(homedir(), 'Library/Caches/ms-playwright'),
  ]
  for (const cache of caches.filter(dir => dir !== undefined)) {
    const releases = (await readdir(cache).catch(() => [])).filter(name => name.startsWith('chromium-'))
    const programs = releases
      .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
      .flatMap(release =>
        [
          'chrome-linux/chrome',
          'chrome-linux64/chrome',
          'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
        ].map(program => join(cache, release, program)),
      )
    const program = programs.find(isProgram)
    if (program) return program
  }
  return undefined
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
