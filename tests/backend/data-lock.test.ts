// Many processes reach for one data directory at once: one gets it, and the others are told who has it.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const root = mkdtempSync(join(tmpdir(), 'chartroom-lock-'))
const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(root, { recursive: true, force: true })
})

const PROGRAM = `import { openDataDirectory } from './backend/data-directory.ts'
  process.stdin.once('data', () => {
    try { openDataDirectory(process.argv[1]); console.log('held') } catch (error) { console.log(error.message) }
  })
  console.log('ready')`

async function contender(dir: string) {
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', PROGRAM, '--', dir])
  children.push(child)
  await once(child.stdout, 'data')
  return async () => {
    child.stdin.write('\n')
    const [said] = await once(child.stdout, 'data')
    return { pid: child.pid, said: String(said).trim() }
  }
}

const DEAD = JSON.stringify({ pid: 2 ** 22 + 1, startedAt: '1' })

test.each([
  ['a new directory', {}],
  ['one whose process was killed', { 'lock.json': DEAD }],
  ['one whose process was killed while it wrote the lock', { 'lock.json': '' }],
  ['one whose process was killed while it looked', { [`lock.claim.${2 ** 22 + 1}`]: DEAD }],
])('%s goes to one of eight', async (_what, files) => {
  const dir = mkdtempSync(join(root, 'data-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text)
  const reach = await Promise.all(Array.from({ length: 8 }, () => contender(dir)))
  const told = await Promise.all(reach.map(go => go()))
  const holders = told.filter(({ said }) => said === 'held').map(({ pid }) => pid)
  expect(holders).toEqual([JSON.parse(readFileSync(join(dir, 'lock.json'), 'utf8')).pid])
  const refusal = `The data directory ${dir} is in use by process ${holders[0]}. Stop that process, or choose another directory.`
  expect(told.filter(({ said }) => said === refusal)).toHaveLength(7)
  expect(readdirSync(dir).sort()).toEqual(['lock.json', 'secrets.json'])
})
