// A test file that leaves something behind or needs a network fails, and the sentence names the file and the thing.
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { folderForTests, runVitest } from '../harness/child-vitest.ts'

const harness = (name: string) => fileURLToPath(new URL(`../harness/${name}`, import.meta.url))

const LEAVES = `
import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('leaves things behind', async () => {
  spawn('sleep', ['30'])
  setTimeout(() => 'left running', 30_000)
  mkdtempSync(join(tmpdir(), 'left-'))
  await new Promise(resolve => createServer().listen(0, '127.0.0.1', () => resolve(undefined)))
  await expect(fetch('http://github.com/')).rejects.toThrow()
})
`

const ENDS = `
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'vitest'
import { atFileEnd, atTestEnd } from '${harness('endings.ts')}'

test('ends what it starts, also a moment later', async () => {
  const child = spawn('sleep', ['30'])
  atTestEnd(() => void child.kill())
  const timer = setTimeout(() => undefined, 30_000)
  setTimeout(() => undefined, 300)
  atTestEnd(() => clearTimeout(timer))
  const folder = mkdtempSync(join(tmpdir(), 'left-'))
  atFileEnd(() => rmSync(folder, { recursive: true }))
  const server = createServer()
  atFileEnd(() => void server.close())
  await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  await fetch('http://127.0.0.1:1/').catch(() => undefined)
})
`

test('each thing that a file leaves is named; one that ends everything passes', async () => {
  const folder = await folderForTests('left-behind')
  onTestFinished(() => rm(folder, { recursive: true }))
  const setup = { test: { setupFiles: [harness('each-file.ts')] } }
  await writeFile(join(folder, 'vitest.config.ts'), `export default ${JSON.stringify(setup)}`)
  await writeFile(join(folder, 'leaves.test.ts'), LEAVES)
  await writeFile(join(folder, 'ends.test.ts'), ENDS)
  const { output, passed } = await runVitest(folder)
  expect(passed).toBe(false)
  const sentences = output.split('\n').filter(line => /test\.ts (?:leaves|connects)/.test(line))
  const found = new Set(
    sentences.map(line =>
      line.replace(/^.*?(?=\w+\.test\.ts)/, '').replaceAll(/(?<=the process )\d+|\d{4,}/g, 'N'),
    ),
  )
  expect([...found].map(line => line.replace(/left-\w+/, 'left-X')).toSorted()).toEqual([
    'leaves.test.ts connects to github.com. Tests need no network: start a server on 127.0.0.1.',
    'leaves.test.ts leaves a timer of N ms running: () => "left running". End it with atTestEnd or atFileEnd.',
    'leaves.test.ts leaves the port N open. End it with atTestEnd or atFileEnd.',
    'leaves.test.ts leaves the process N (sleep 30). End it with atTestEnd or atFileEnd.',
    'leaves.test.ts leaves the temporary file left-X. End it with atTestEnd or atFileEnd.',
  ])
  expect(output).toMatch(/1 failed \| 1 passed/)
})
