// The lock on a data directory: one process gets it, wherever the others run, and a killed process releases
// it.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const root = mkdtempSync(join(tmpdir(), 'chartroom-lock-'))
const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(root, { recursive: true, force: true })
})

const PROGRAM = `import { openDataDirectory } from './backend/shared/data-directory.ts'
  process.stdin.once('data', () => {
    try { openDataDirectory(process.argv[1]); console.log('held') } catch (error) { console.log(error.message) }
  })
  console.log('ready')`

/** A process that opens the directory when the returned function is called. */
async function contender(dir: string, wrapper: readonly string[] = []) {
  const node = [process.execPath, '--input-type=module-typescript', '-e', PROGRAM, '--', dir]
  const [command = '', ...args] = [...wrapper, ...node]
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  const ended = once(child, 'exit').then(([code]) =>
    Promise.reject(new Error(`the process ended with ${code}`)),
  )
  ended.catch(() => undefined)
  await Promise.race([once(child.stdout, 'data'), ended])
  const open = async () => {
    child.stdin.write('\n')
    const [output] = await once(child.stdout, 'data')
    return String(output).trim()
  }
  return { child, open }
}

const newDirectory = () => mkdtempSync(join(root, 'data-'))
const refusal = (dir: string, owner: string) =>
  `The data directory ${dir} is in use by ${owner}. Stop that process, or choose another directory.`

const DEAD = JSON.stringify({ pid: 2 ** 22 + 1, startedAt: '1' })

test.each([
  ['a new directory', {}],
  ['one whose process was killed', { lock: '', 'lock.json': DEAD }],
  ['one whose process was killed while writing the owner file', { 'lock.json': '' }],
])('%s is opened by one of eight processes', async (_what, files) => {
  const dir = newDirectory()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text)
  const contenders = await Promise.all(Array.from({ length: 8 }, () => contender(dir)))
  const outputs = await Promise.all(
    contenders.map(async ({ child, open }) => ({ pid: child.pid, output: await open() })),
  )
  const holders = outputs.filter(({ output }) => output === 'held').map(({ pid }) => pid)
  expect(holders).toEqual([JSON.parse(readFileSync(join(dir, 'lock.json'), 'utf8')).pid])
  const refused = refusal(dir, `process ${holders[0]}`)
  expect(outputs.filter(({ output }) => output === refused)).toHaveLength(7)
  expect(readdirSync(dir).sort()).toEqual(['lock', 'lock.json', 'secrets.json'])
})

test('a killed process releases its directory at once', async () => {
  const dir = newDirectory()
  const first = await contender(dir)
  expect(await first.open()).toBe('held')
  const ended = once(first.child, 'exit')
  first.child.kill('SIGKILL')
  await ended
  expect(await (await contender(dir)).open()).toBe('held')
})

test('an owner that is not visible here still holds the directory', async () => {
  const dir = newDirectory()
  expect(await (await contender(dir)).open()).toBe('held')
  // The lock as seen from another container: the process id is meaningless there.
  const owner = {
    ...JSON.parse(readFileSync(join(dir, 'lock.json'), 'utf8')),
    pid: 2 ** 22 + 1,
    host: 'other',
  }
  writeFileSync(join(dir, 'lock.json'), JSON.stringify(owner))
  const refused = refusal(dir, `process ${owner.pid} in another container (other)`)
  expect(await (await contender(dir)).open()).toBe(refused)
})

/** What may happen to the lock's files under a running owner. */
const REMOVALS: Readonly<Record<string, (dir: string) => void>> = {
  'the lock is removed': dir => rmSync(join(dir, 'lock')),
  'the lock is emptied and replaced': dir => {
    rmSync(join(dir, 'lock'))
    writeFileSync(join(dir, 'lock'), '')
  },
  'a copy takes the place of the lock': dir => {
    copyFileSync(join(dir, 'lock'), join(dir, 'copy'))
    renameSync(join(dir, 'copy'), join(dir, 'lock'))
  },
  'the description of the owner is removed': dir => rmSync(join(dir, 'lock.json')),
  'both are removed': dir => {
    rmSync(join(dir, 'lock'))
    rmSync(join(dir, 'lock.json'))
  },
  'both are removed, and another process makes the lock again': dir => {
    rmSync(join(dir, 'lock'))
    rmSync(join(dir, 'lock.json'))
    writeFileSync(join(dir, 'lock'), '')
  },
}

// Each waits for heartbeats most of the time.
test.concurrent.for(Object.entries(REMOVALS))(
  '%s: the directory stays with its owner',
  { timeout: 60_000 },
  async ([, remove], { expect }) => {
    const dir = newDirectory()
    const owner = await contender(dir)
    expect(await owner.open()).toBe('held')
    // Processes that are ready at once meet the owner before it has noticed.
    const others = await Promise.all([contender(dir), contender(dir)])
    remove(dir)
    for (const output of await Promise.all(others.map(({ open }) => open())))
      expect(output).toContain(`The data directory ${dir} is in use by `)
    // The owner restores both, and a later process is refused at once.
    await expect
      .poll(() => readdirSync(dir).sort(), { timeout: 10_000 })
      .toEqual(['lock', 'lock.json', 'secrets.json'])
    await expect
      .poll(() => JSON.parse(readFileSync(join(dir, 'lock.json'), 'utf8')).pid, { timeout: 10_000 })
      .toBe(owner.child.pid)
    expect(await (await contender(dir)).open()).toBe(refusal(dir, `process ${owner.child.pid}`))
    const ended = once(owner.child, 'exit')
    owner.child.kill('SIGKILL')
    await ended
    expect(await (await contender(dir)).open()).toBe('held')
  },
)

const SPACES = ['--pid', '--fork', '--mount-proc', '--net']
const wrapper = [
  ['unshare', ...SPACES],
  ['unshare', '--user', '--map-root-user', ...SPACES],
].find(([command = '', ...args]) => spawnSync(command, [...args, 'true']).status === 0)

test.skipIf(!wrapper)('namespaces of their own do not let two processes in (needs `unshare`)', async () => {
  const dir = newDirectory()
  const inside = await contender(dir, wrapper)
  expect(await inside.open()).toBe('held')
  expect(await (await contender(dir)).open()).toMatch(/is in use by process \d+ in another container/)
  expect(await (await contender(dir, wrapper)).open()).toMatch(/is in use by /)
})

test('an owner on another machine counts while its heartbeat continues', { timeout: 60_000 }, async () => {
  const dir = newDirectory()
  const ownerFile = join(dir, 'lock.json')
  writeFileSync(
    ownerFile,
    JSON.stringify({ pid: 7, startedAt: '1', host: 'elsewhere', boot: 'another kernel' }),
  )
  const heartbeat = setInterval(() => utimesSync(ownerFile, new Date(), new Date()), 200)
  const refused = await (await contender(dir)).open()
  clearInterval(heartbeat)
  expect(refused).toBe(refusal(dir, 'process 7 on elsewhere'))
  expect(await (await contender(dir)).open()).toBe('held')
})
