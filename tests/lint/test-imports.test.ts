// The rule for what tests import: a package's entries, and an inner module only in its own tests.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import remaining from './inner-imports.json' with { type: 'json' }
import { lintLines, type Line } from './lint-tree.ts'

const RULE = 'chartroom(test-imports)'
const EDITS = '../../src/services/workbench/table/edits'

const refusedImports: readonly (readonly [test: string, module: string, advice: string])[] = [
  // A module of a folder, from a test next to that folder's tests.
  [
    'tests/workbench/undo.test.ts',
    `${EDITS}/plan.ts`,
    'src/services/workbench/table/edits/plan.ts is an inner module of src/services/workbench. Import src/services/workbench/table/index.ts instead; or, if this tests that module alone, move the test to tests/workbench/table/edits.',
  ],
  [
    'tests/workbench/table/undo.test.ts',
    `../${EDITS}/plan.ts`,
    'src/services/workbench/table/edits/plan.ts is an inner module of src/services/workbench. Import src/services/workbench/table/index.ts instead; or, if this tests that module alone, move the test to tests/workbench/table/edits.',
  ],
  // A module that is directly in the package's folder.
  [
    'tests/control/faults.test.ts',
    '../../src/services/control/breakpoints.ts',
    'src/services/control/breakpoints.ts is an inner module of src/services/control. Import src/services/control/index.ts instead; or, if this tests that module alone, name the test breakpoints.test.ts.',
  ],
  // A package without an index.
  [
    'tests/ui/sign-out.test.tsx',
    '../../src/ui/app/shell/shell.tsx',
    'src/ui/app/shell/shell.tsx is an inner module of src/ui/app. Import one of its entries instead; or, if this tests that module alone, move the test to tests/ui/app/shell.',
  ],
  // A test of another package whose module has the same name.
  [
    'tests/browser/plan.test.ts',
    '../../backend/faults/plan.ts',
    'backend/faults/plan.ts is an inner module of backend/faults. Import backend/faults/index.ts instead; or, if this tests that module alone, name the test plan.test.ts.',
  ],
]

const allowedImports: readonly (readonly [test: string, module: string])[] = [
  // Entries: an index, a public entry, and the other modules that packages may import of each other.
  ['tests/workbench/undo.test.ts', '../../src/services/workbench/table/index.ts'],
  ['tests/trace/read.test.ts', '../../src/trace/index.ts'],
  ['tests/trace/read.test.ts', '../../src/public/devtools/replay.ts'],
  ['tests/trace/read.test.ts', '../../src/trace/read/read-file.ts'],
  ['tests/ui/button.test.tsx', '../../src/ui/widgets/button.tsx'],
  // A module, from a test in its folder or of its name.
  ['tests/workbench/table/edits/undo.test.ts', `../../${EDITS}/plan.ts`],
  ['tests/workbench/plan.test.ts', `${EDITS}/plan.ts`],
  ['tests/workbench/plan.deep.test.ts', `${EDITS}/plan.ts`],
  ['tests/control/breakpoints.test.ts', '../../src/services/control/breakpoints.ts'],
  ['tests/backend/faults/plan.test.ts', '../../../backend/faults/plan.ts'],
  ['tests/ui/console/chart/focus.test.ts', '../../../../src/ui/console/chart/chart-graph.ts'],
  // What is no package, and what is no test file.
  ['tests/scripts/order.test.ts', '../../scripts/test-order.ts'],
  ['tests/trace/read.test.ts', '../harness/world.ts'],
  ['tests/trace/read.test.ts', 'vitest'],
  ['tests/harness/world.ts', '../../src/services/runtime/entropy.ts'],
]

/** The forms of an import; the rule has to catch them all. */
const forms: readonly ((to: string, name: string) => string)[] = [
  (to, name) => `import { x as ${name} } from '${to}'; void ${name}`,
  (to, name) => `import type { X as ${name} } from '${to}'; export type T${name} = ${name}`,
  (to, name) => `export { x as ${name} } from '${to}'`,
  (to, name) => `export const ${name} = () => import('${to}')`,
]

const linesOf = (path: string, to: string, name: string): Line[] =>
  forms.map((write, form) => ({ path, code: write(to, `${name}x${form}`) }))

const inner = (name: string) => `export { x as ${name} } from '${EDITS}/plan.ts'`
/** A file for each relation of what it has to what the table says. */
const counted = (path: string, ...names: string[]): Line[] => names.map(name => ({ path, code: inner(name) }))
const within = counted('tests/workbench/within.test.ts', 'a', 'b')
const risen = counted('tests/workbench/risen.test.ts', 'a', 'b')
const fallen = counted('tests/workbench/fallen.test.ts', 'a')

const indexes = ['src/services/workbench/table', 'src/services/control', 'backend/faults'].map(folder => ({
  path: `${folder}/index.ts`,
  code: 'export const x = 1',
}))
const refused = refusedImports.map(([path, to, advice], nth) => ({
  path,
  to,
  advice,
  lines: linesOf(path, to, `refused${nth}`),
}))
const allowed = allowedImports.map(([path, to], nth) => ({
  path,
  to,
  lines: linesOf(path, to, `allowed${nth}`),
}))
const groups = [...refused, ...allowed].flatMap(each => each.lines)
const broken = await lintLines([...indexes, ...groups, ...within, ...risen, ...fallen], {
  'tests/workbench/within.test.ts': 2,
  'tests/workbench/risen.test.ts': 1,
  'tests/workbench/fallen.test.ts': 3,
})
const messagesOf = (lines: readonly Line[]) => lines.map(line => broken.get(line)?.get(RULE))

test.each(refused)('$path must not import $to', ({ advice, lines }) => {
  expect(messagesOf(lines)).toEqual(forms.map(() => advice))
})

test.each(allowed)('$path may import $to', ({ lines }) => {
  expect(messagesOf(lines)).toEqual(forms.map(() => undefined))
})

test('a file may have as many imports of inner modules as the table says', () => {
  expect(messagesOf(within)).toEqual([undefined, undefined])
})

test('one more is refused, and the message has both numbers', () => {
  const message = expect.stringMatching(
    /plan\.ts is an inner module.* Imports of inner modules in this file: 2; in tests\/lint\/inner-imports\.json: 1\.$/,
  )
  expect(messagesOf(risen)).toEqual([message, message])
})

test('with fewer, the number has to be lowered', () => {
  expect(messagesOf(fallen)).toEqual([
    'Imports of inner modules in this file: 1; in tests/lint/inner-imports.json: 3. Lower the number.',
  ])
})

test('every file of the table exists and has such imports', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const gone = Object.entries(remaining).filter(
    ([path, count]) => count === 0 || !existsSync(join(root, path)),
  )
  expect(gone).toEqual([])
})
