// The runner of the official suites: its arguments, and how it parses reports.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { runJest } from '../../scripts/compatibility/jest.ts'
import { ranFile } from '../harness/command.ts'

const folders: string[] = []
afterEach(() => folders.splice(0).forEach(folder => rmSync(folder, { recursive: true, force: true })))

/** A package whose Jest writes the given report, or none. */
function packageWith(report: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'chartroom-suite-'))
  folders.push(folder)
  const bin = join(folder, 'node_modules/.bin')
  mkdirSync(bin, { recursive: true })
  const write = `require('fs').writeFileSync(file, ${JSON.stringify(JSON.stringify(report))})`
  const program = `#!/usr/bin/env node
const file = process.argv.find(argument => argument.startsWith('--outputFile=')).slice(13)
${report === undefined ? "console.error('Jest stumbled')" : write}
`
  writeFileSync(join(bin, 'jest'), program)
  chmodSync(join(bin, 'jest'), 0o755)
  return folder
}

test('tests are named by file and title; failures have their first line, skipped tests are omitted', async () => {
  const tests = [
    { fullName: 'signs in', status: 'passed', failureMessages: [] },
    { fullName: 'signs out', status: 'failed', failureMessages: ['Error: \u001B[31mnull\u001B[39m\n  at x'] },
    { fullName: 'never runs', status: 'pending', failureMessages: [] },
  ]
  const files = [
    { name: '/suite/auth.test.ts', message: '', assertionResults: tests },
    { name: '/suite/broken.test.ts', message: '\n  Cannot find module', assertionResults: [] },
  ]
  expect(await runJest(packageWith({ testResults: files }), [])).toEqual([
    { name: 'auth.test.ts: signs in', passed: true, reason: undefined },
    { name: 'auth.test.ts: signs out', passed: false, reason: 'Error: null' },
    { name: 'broken.test.ts', passed: false, reason: '  Cannot find module' },
  ])
})

test("a run without a report fails with the end of the program's output", async () => {
  await expect(runJest(packageWith(undefined), [])).rejects.toThrow('Jest stumbled')
})

test.each([
  { args: [], words: 'The suite checkouts are missing' },
  { args: ['opera'], words: 'Unknown suite: opera.' },
  { args: ['--nonsense'], words: "Unknown option '--nonsense'" },
])('rejects $args with the usage', async ({ args, words }) => {
  const { code, err } = await ranFile('compatibility/main.ts', ...args)
  expect(err).toContain(words)
  expect(err).toContain('Usage: npm run compatibility')
  expect(code).toBe(2)
})
