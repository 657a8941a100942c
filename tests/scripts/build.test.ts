// The built app as a static site: each page contains its policy, and the initial load is within budget.
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { appDir, ensureApp } from '../../scripts/app-build.ts'
import { BUDGET, initialSize, SIGN_IN_BUDGET, signInSize } from '../../scripts/deploy/initial-size.ts'
import { META_POLICY, SITE_HEADERS } from '../../src/cli/start/site-policy.ts'
import { root, runTool } from '../../scripts/tool.ts'

beforeAll(() => ensureApp())

const read = (name: string) => readFile(join(appDir, name), 'utf8')

test('the initial load is within budget, without the console or heavy editors', async () => {
  const { bytes, files } = await initialSize(appDir)
  expect(bytes).toBeGreaterThan(50_000)
  expect(bytes).toBeLessThanOrEqual(BUDGET)
  const code = (await Promise.all(files.map(read))).join('\n')
  expect(
    ['Shortcuts work while the focus', 'cm-editor', 'sonner-toast'].filter(word => code.includes(word)),
  ).toEqual([])
})

test('the load until sign-in is within budget, without code that only later pages need', async () => {
  const { bytes, files } = await signInSize(appDir)
  expect(bytes).toBeGreaterThan((await initialSize(appDir)).bytes + 50_000)
  expect(bytes).toBeLessThanOrEqual(SIGN_IN_BUDGET)
  // Each file is a round trip.
  expect(files.length).toBeLessThanOrEqual(12)
  const code = (await Promise.all(files.map(read))).join('\n')
  const later = [
    'vnd.pgrst.object',
    'GoTrueClient',
    'phx_join',
    'sonner-toast',
    'data-panel',
    'beforeLoad',
    'indexedDB',
  ]
  expect(later.filter(word => code.includes(word))).toEqual([])
})

test.each(['index.html', 'console.html', '404.html'])(
  '%s has its policy first and nothing inline',
  async name => {
    const html = await read(name)
    const policy = /^\s*<head>\s*<meta http-equiv="Content-Security-Policy" content="([^"]*)">/m.exec(
      html,
    )?.[1]
    expect(policy?.replaceAll('&#39;', "'")).toBe(META_POLICY)
    expect(html.match(/<style|<script(?![^>]*\bsrc=)|\sstyle=|\son\w+=/g)).toBeNull()
  },
)

test('the policy only allows own scripts and styles', () => {
  const directives = new Map(META_POLICY.split('; ').map(part => [part.split(' ')[0], part]))
  expect(directives.get('script-src')).toBe("script-src 'self'")
  expect(directives.get('style-src')).toMatch(/^style-src 'self'( 'sha256-[\w+/=]+')+$/)
  expect(META_POLICY).not.toMatch(/unsafe|\*/)
  expect(['img-src', 'media-src', 'frame-src'].map(name => directives.get(name))).toEqual([
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    'frame-src blob:',
  ])
  expect(SITE_HEADERS['Content-Security-Policy']).toBe(`${META_POLICY}; frame-ancestors 'none'`)
})

test('contains headers, a page for every path, and settings to fill in', async () => {
  const headers = await read('_headers')
  for (const [name, value] of Object.entries(SITE_HEADERS)) expect(headers).toContain(`  ${name}: ${value}\n`)
  expect(await read('_redirects')).toBe('/* /index.html 200\n')
  expect(await read('404.html')).toBe(await read('index.html'))
  expect(JSON.parse(await read('chartroom.json'))).toEqual({ hosts: [], otherHosts: true })
  expect(
    (await read('assets/' + (await sheet()))).startsWith('@layer reset,tokens,base,widgets,layout;'),
  ).toBe(true)
  await access(join(appDir, 'favicon.svg'))
})

const sheet = async () => /assets\/([\w-]+\.css)/.exec(await read('index.html'))?.[1] ?? ''

test('rejects an invalid base path and builds nothing', async () => {
  const { code, output } = await runTool(process.execPath, [
    join(root, 'scripts/build.ts'),
    '--base',
    'chartroom',
  ])
  expect({ code, first: output.split('\n')[0] }).toEqual({
    code: 2,
    first: '--base must start and end with a slash: chartroom',
  })
})
