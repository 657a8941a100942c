// The documentation site without building it: its navigation, its links, the API reference and the recordings.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadTrace, traceAddress } from '../../evidence/site/.vitepress/console/load-trace.ts'
import { anchorOf, siteAddress } from '../../evidence/site/.vitepress/addresses.ts'
import { addressOf, markdownFiles, sidebarOf } from '../../evidence/site/.vitepress/pages.ts'
import { reference } from '../../evidence/site/.vitepress/reference.ts'
import { consoleAddress, TRIES } from '../../evidence/site/.vitepress/traces.ts'
import { collectEntries } from '../../scripts/api-docs/collect.ts'
import { referencePages } from '../../scripts/api-docs/reference.ts'
import { deadLinks } from '../../evidence/site/build/anchors.ts'
import { outageTrace } from '../../evidence/site/build/outage-trace.ts'
import { root } from '../../scripts/tool.ts'
import { systems, verify } from '../../src/public/devtools/replay.ts'
import { readTrace } from '../../src/trace/index.ts'

const docs = join(root, 'docs')

test('each page is in the sidebar, once', () => {
  const links = sidebarOf(docs, reference).flatMap(({ items = [] }) => items.map(({ link = '' }) => link))
  // The home page is above the sidebar.
  const pages = markdownFiles(docs).filter(path => path !== 'index')
  expect(pages.length).toBeGreaterThan(80)
  const expected = [...pages.map(addressOf), ...reference.map(({ slug }) => `/api/${slug}`)]
  expect(links.sort()).toEqual(expected.sort())
})

const guide = join(docs, 'guide/tour.md')

test.each([
  ['console.md#attach', '/guide/console#attach'],
  ['../machines/README.md', '/machines/'],
  ['../api.md', '/api/'],
  // Not on the site, and the repository has no address.
  ['../../README.md', undefined],
  ['../../examples/tour', undefined],
  ['../../src/public/vue.ts#L1', undefined],
  ['#section', '#section'],
  ['https://xstate.js.org/', 'https://xstate.js.org/'],
  ['mailto:crew@harbour.test', 'mailto:crew@harbour.test'],
])('a link to %s becomes %s on the site', (href, address) => {
  expect(siteAddress(href, guide, root)).toBe(address)
})

test('a link to a missing file is an error that names both', () => {
  expect(() => siteAddress('../nowhere.md', guide, root)).toThrow(
    'docs/guide/tour.md links to ../nowhere.md, which does not exist.',
  )
})

test('anchors are those of GitHub', () => {
  expect(anchorOf('Settings: `chartroom.json`')).toBe('settings-chartroomjson')
  expect(anchorOf('1. Find the reason')).toBe('1-find-the-reason')
  expect(anchorOf('Log, query and actors')).toBe('log-query-and-actors')
})

test('the reference has each export with its own anchor and its declaration', () => {
  const entries = collectEntries(root)
  expect(reference.map(({ title }) => title)).toEqual(entries.map(({ name }) => name))
  for (const [index, { exports }] of entries.entries()) {
    const page = reference[index]
    expect([...(page?.anchors.keys() ?? [])].toSorted()).toEqual(exports.map(({ name }) => name).toSorted())
    expect(new Set(page?.anchors.values()).size).toBe(exports.length)
    for (const anchor of page?.anchors.values() ?? []) expect(page?.content).toContain(`{#${anchor}}`)
  }
  const react = reference.find(({ slug }) => slug === 'react')
  expect(react?.content).toContain('function useSession(): SessionStatus')
})

test('names that differ only in case have different anchors; prose is escaped, code is not', () => {
  const file = 'src/sail.ts'
  const [page] = referencePages([
    {
      name: 'boat/sail',
      file: 'src/index.ts',
      description: 'Sails.',
      exports: [
        {
          name: 'Jib',
          kind: 'type',
          description: 'A sail.',
          file,
          doc: 'A <sail> of `Set<Cloth>`, as {@link jib} makes. See [sails](docs/sails.md).',
          code: 'type Jib = 1',
        },
        {
          name: 'jib',
          kind: 'function',
          description: 'Hoists.',
          file,
          doc: 'Hoists.\n@param wind in knots\n@returns the sail\n@throws Error in a storm',
          code: 'function jib(wind: number): Jib',
        },
      ],
    },
  ])
  expect(page?.slug).toBe('sail')
  expect(page?.anchors).toEqual(
    new Map([
      ['jib', 'jib'],
      ['Jib', 'jib-type'],
    ]),
  )
  expect(page?.content).toContain(
    'A &lt;sail> of `Set<Cloth>`, as `jib` makes. See [sails](../../docs/sails.md).',
  )
  expect(page?.content).toContain('- `wind`: in knots\n- _Returns_ the sail\n- _Throws_ Error in a storm')
})

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'chartroom-site-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return folder
}

test('a built site is checked for dead links and dead anchors', async () => {
  const site = await folderOf({
    'index.html': '<a href="/base/guide/a.html#there">1</a> <a class="x" href="/base/guide/none.html">2</a>',
    'guide/a.html':
      '<h2 id="there"></h2><a href="./a.html#gone">3</a> <a href="../">4</a> <a href="#there">5</a>',
    'console/index.html': '<a href="/base/none.html">6</a>',
  })
  expect(await deadLinks(site, '/base/')).toEqual([
    'guide/a.html: ./a.html#gone',
    'index.html: /base/guide/none.html',
  ])
})

test('the recording of the outage replays exactly, and opens where the token expires', async () => {
  const read = await readTrace(new Blob([(await outageTrace()) as BlobPart]))
  if (read.kind !== 'trace') throw new Error(read.message)
  const { trace } = read
  expect(verify(trace, systems).outcome).toBe('exact')
  const at = Number(TRIES.find(({ id }) => id === 'outage')?.place['at'])
  expect(trace.steps[at]?.value).toMatchObject({ authenticated: { token: 'offlineExpired' } })
  expect(trace.actors[trace.steps[at]?.actor ?? -1]?.path).toBe('client/session')
})

test('the recording of the tour opens at the sign-out', async () => {
  const tour = await readFile(join(root, 'examples/tour/signed-out.trace.gz'))
  const read = await readTrace(new Blob([tour]))
  if (read.kind !== 'trace') throw new Error(read.message)
  const at = Number(TRIES.find(({ id }) => id === 'signed-out')?.place['at'])
  expect(read.trace.steps[at]?.value).toBe('signedOut')
})

test('the address of the console names a trace of the same site', () => {
  const page = 'https://docs.test/chartroom/console/index.html'
  expect(consoleAddress({ id: 'x', title: 'X', about: '', place: {} })).toBe('/console/index.html')
  expect(traceAddress(page)).toBe(undefined)
  expect(traceAddress(`${page}?trace=../traces/a.gz&at=3`)?.href).toBe(
    'https://docs.test/chartroom/traces/a.gz',
  )
  for (const other of [
    'https://evil.test/a.gz',
    '//evil.test/a.gz',
    'data:,x',
    'blob:https://docs.test/1',
    'http://docs.test/a',
  ])
    expect(() => traceAddress(`${page}?trace=${encodeURIComponent(other)}`)).toThrow(
      `The trace "${other}" is not on this site. Only traces from https://docs.test are loaded`,
    )
})

test('a trace that cannot be loaded is an error that says why', async () => {
  const address = new URL('https://docs.test/traces/a%20b.gz')
  const file = await loadTrace(address, () => Promise.resolve(new Response('x')))
  expect([file.name, await file.text()]).toEqual(['a b.gz', 'x'])
  await expect(loadTrace(address, () => Promise.resolve(new Response('', { status: 404 })))).rejects.toThrow(
    'a b.gz could not be loaded: the server responded 404.',
  )
  await expect(loadTrace(address, () => Promise.reject(new TypeError('failed')))).rejects.toThrow(
    'a b.gz could not be loaded: the server did not respond, or redirected to another address.',
  )
})
