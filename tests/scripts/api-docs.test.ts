// The API page: how entries are read, and what makes the check fail.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { apiPage, problemsOf } from '../../scripts/api-docs.ts'
import { collectEntries } from '../../scripts/api-docs/collect.ts'

const SOURCES = {
  'package.json': JSON.stringify({
    name: 'boat',
    exports: { '.': './src/index.ts', './deck': './src/deck.ts' },
  }),
  'src/index.ts': [
    '// The public entry `boat`: hull and sail.',
    "export { hoist as raise, type Sail } from './sail.ts'",
    "export type { Hull } from './hull.ts'",
    '/** Length in meters. */',
    'export const LENGTH = 12',
  ].join('\n'),
  'src/deck.ts': [
    '// The public entry `boat/deck`: deck equipment.',
    "export { Hull } from './other-hull.ts'",
  ].join('\n'),
  'src/sail.ts': [
    '/**',
    ' * Hoists a sail | or reefs it. Resolves when',
    ' * it is up.',
    ' * @throws Error in a storm',
    ' */',
    'export async function hoist(): Promise<void> {}',
    '',
    '/** Kind of sail; by its area. */',
    "export type Sail = 'jib'",
  ].join('\n'),
  'src/hull.ts': 'export interface Hull {}',
  'src/other-hull.ts': '/** Another hull. */\nexport class Hull {}',
}

async function project(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'chartroom-api-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  await mkdir(join(dir, 'src'))
  for (const [file, text] of Object.entries(SOURCES)) await writeFile(join(dir, file), text)
  return dir
}

test('follows exports to their declarations and takes the first sentence of the doc comment', async () => {
  expect(collectEntries(await project())).toEqual([
    {
      name: 'boat',
      file: 'src/index.ts',
      description: 'Hull and sail.',
      exports: [
        { name: 'Hull', kind: 'type', description: undefined, file: 'src/hull.ts' },
        { name: 'LENGTH', kind: 'constant', description: 'Length in meters.', file: 'src/index.ts' },
        { name: 'raise', kind: 'function', description: 'Hoists a sail | or reefs it.', file: 'src/sail.ts' },
        { name: 'Sail', kind: 'type', description: 'Kind of sail; by its area.', file: 'src/sail.ts' },
      ],
    },
    {
      name: 'boat/deck',
      file: 'src/deck.ts',
      description: 'Deck equipment.',
      exports: [{ name: 'Hull', kind: 'class', description: 'Another hull.', file: 'src/other-hull.ts' }],
    },
  ])
})

test('reports exports without a description, names with two meanings and a page that is out of date', async () => {
  const entries = collectEntries(await project())
  expect(await problemsOf(entries, await apiPage(entries))).toEqual([
    'src/hull.ts: the export Hull has no doc comment.',
    'Hull means different things in boat (src/hull.ts) and boat/deck (src/other-hull.ts).',
  ])
  const [boat] = entries
  const complete = boat ? [{ ...boat, exports: boat.exports.slice(1) }] : []
  expect(await problemsOf(complete, '')).toEqual(['docs/api.md is out of date. Run npm run docs.'])
  expect(await problemsOf(complete, await apiPage(complete))).toEqual([])
})

test('hooks of different frameworks may have one name, but not that of another entry', async () => {
  const entryOf = (name: string) => ({
    name: `boat/${name}`,
    file: `src/${name}.ts`,
    description: 'Hooks.',
    exports: [{ name: 'useSail', kind: 'function' as const, description: 'Hoists.', file: `src/${name}.ts` }],
  })
  const hooks = ['react', 'vue', 'svelte'].map(entryOf)
  expect(await problemsOf(hooks, await apiPage(hooks))).toEqual([])
  const others = [entryOf('vue'), entryOf('deck')]
  expect(await problemsOf(others, await apiPage(others))).toEqual([
    'useSail means different things in boat/vue (src/vue.ts) and boat/deck (src/deck.ts).',
  ])
})
