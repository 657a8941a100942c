// Paths of `chartroom mcp`: nothing outside of the roots is read or written.
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { Roots } from '../../../src/cli/mcp/roots.ts'
import { doorFile } from '../../harness/door.ts'
import { atFileEnd } from '../../harness/endings.ts'
import { type CallTool, connectMcp, toolCaller } from '../../harness/mcp.ts'

let base = ''
let call: CallTool

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'chartroom-roots-')))
  atFileEnd(() => rm(base, { recursive: true }))
  for (const folder of ['app', 'app-secret', 'app/inner']) await mkdir(join(base, folder))
  for (const file of ['app/in.trace.gz', 'app-secret/out.trace.gz', 'out.trace.gz'])
    await writeFile(join(base, file), await doorFile())
  await symlink(join(base, 'out.trace.gz'), join(base, 'app/link.trace.gz'))
  await symlink(base, join(base, 'app/up'))
  await symlink(join(base, 'app/in.trace.gz'), join(base, 'app/own.trace.gz'))
  await symlink('/nowhere', join(base, 'app/dangling.trace.gz'))
  await writeFile(join(base, 'out-machines.ts'), 'throw new Error("loaded")')
  call = toolCaller(await connectMcp({ roots: [join(base, 'app')], isForFile: true }))
})

const inBase = (path: string) => join(base, path)

test.each([
  '../out.trace.gz',
  'inner/../../out.trace.gz',
  'link.trace.gz',
  'up/out.trace.gz',
  '../app-secret/out.trace.gz',
  '/etc/passwd',
  '../missing.trace.gz',
  'dangling.trace.gz/../../out.trace.gz',
])('%s is refused', async path => {
  const { text, isError } = await call('overview', { recording: path })
  expect(isError).toBe(true)
  expect(text).toContain('outside of the folders of this server')
})

test('absolute paths and links within the roots are used', async () => {
  for (const path of ['in.trace.gz', inBase('app/in.trace.gz'), 'own.trace.gz', './inner/../in.trace.gz'])
    expect((await call('overview', { recording: path })).isError).toBe(false)
})

test('machines and tests stay in the roots', async () => {
  const outside = { recording: 'in.trace.gz', machines: '../out-machines.ts' }
  for (const tool of ['replay', 'drive', 'minimize', 'write_test'])
    expect((await call(tool, outside)).text).toContain('outside of the folders')
  for (const out of ['../made.test.ts', 'up/made.test.ts', '/tmp/made.test.ts'])
    expect((await call('write_test', { recording: 'in.trace.gz', out })).text).toContain(
      'outside of the folders',
    )
})

test('a store outside is refused, and its id is no path', async () => {
  for (const recording of ['store:..#a', 'store:.#../app-secret', 'store:.#..'])
    expect((await call('overview', { recording })).isError).toBe(true)
})

test('links are not followed when recordings are listed', async () => {
  const { text } = await call('recordings', { kind: 'files' })
  expect(text).toContain('1 recording;')
  expect(text).toContain('\nin.trace.gz file\n')
})

test('a root that is no folder is refused at the start', () => {
  expect(() => new Roots([inBase('out.trace.gz')])).toThrow('is no folder')
  expect(() => new Roots([inBase('nowhere')])).toThrow('is no folder')
})
