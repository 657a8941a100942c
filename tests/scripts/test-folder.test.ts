// The temporary folder of a run: in memory only where that works, and never left behind.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const PROGRAM = `import { temporaryInMemory } from './scripts/test-folder.ts'
  console.log(temporaryInMemory(process.argv[1], Number(process.argv[2])))`

function folderBelow(memory: string, enough = 1) {
  const { stdout, pid } = spawnSync(
    process.execPath,
    ['--input-type=module-typescript', '-e', PROGRAM, '--', memory, String(enough)],
    { encoding: 'utf8' },
  )
  return { folder: stdout.trim(), pid }
}

const memory = mkdtempSync(join(tmpdir(), 'chartroom-memory-'))
afterAll(() => rmSync(memory, { recursive: true }))

test('it is removed on exit, as are those of killed runs, but not one of a process that runs', () => {
  const [ended = '', running = ''] = [2 ** 22, process.pid].map(id => join(memory, `chartroom-tests-${id}`))
  for (const folder of [ended, running]) mkdirSync(folder)
  const { folder, pid } = folderBelow(memory)
  expect(folder).toBe(join(memory, `chartroom-tests-${pid}`))
  expect([folder, ended, running].map(one => existsSync(one))).toEqual([false, false, true])
})

test('a system with none or with little of it uses its disk', () => {
  expect([folderBelow('/nowhere').folder, folderBelow(memory, 1e15).folder]).toEqual([
    'undefined',
    'undefined',
  ])
})
