// The command lines that messages of Node programs print: they start the program from the current folder.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { withInstalledProgram } from '../../scripts/package-program.ts'
import { ownCommandLine } from '../../src/testing/own-program.ts'
import { commandLine } from '../../src/trace/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'chartroom-own-program-'))
afterAll(() => rmSync(folder, { recursive: true }))

mkdirSync(join(folder, 'app/node_modules/.bin'), { recursive: true })
mkdirSync(join(folder, 'app/packages/one'), { recursive: true })
for (const name of ['chartroom', 'chartroom.cmd'])
  writeFileSync(join(folder, 'app/node_modules/.bin', name), '')

test.each([
  ['app', false, './node_modules/.bin/chartroom replay a.gz'],
  ['app/packages/one', false, '../../node_modules/.bin/chartroom replay a.gz'],
  ['app', true, './node_modules/.bin/chartroom.cmd replay a.gz'],
  // No app: that of the repository, from whose sources this runs.
  ['.', false, 'npm run -s chartroom -- replay a.gz'],
])('in %s, on Windows: %s', (place, isWindows, line) => {
  expect(ownCommandLine(['replay', 'a.gz'], { folder: join(folder, place), isWindows })).toBe(line)
})

test('texts of the package name the installed program', () => {
  expect(commandLine('serve')).toBe('npm run -s chartroom -- serve')
  expect(withInstalledProgram(commandLine('serve'))).toBe('./node_modules/.bin/chartroom serve')
})
