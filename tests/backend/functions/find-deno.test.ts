// Which Deno runs a project's functions: never a program that the project could have put there.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findDeno } from '../../../backend/functions/index.ts'
import { startTestBackend } from '../../harness/backend.ts'

let root = ''
const at = (...parts: readonly string[]) => join(root, ...parts)
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'chartroom-deno-'))))
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true, force: true })
})

/** A program that says that it is Deno, and leaves a file when it runs. */
function plant(file: string, manifest = true): string {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `#!/bin/sh\necho ran >> "${at('ran')}"\necho "deno 2.9.6 (stable)"\n`)
  chmodSync(file, 0o755)
  if (manifest) writeFileSync(join(dirname(file), 'package.json'), '{"name":"deno","version":"2.9.6"}')
  return file
}

function makeProject(...parts: readonly string[]): string {
  const dir = at(...parts)
  mkdirSync(join(dir, 'supabase/functions/hello'), { recursive: true })
  writeFileSync(join(dir, 'supabase/config.toml'), '[functions.hello]\nverify_jwt = false\n')
  writeFileSync(join(dir, 'supabase/functions/hello/index.ts'), 'Deno.serve(() => new Response("hello"))')
  return dir
}

/** An installed backend without a Deno. */
const alone = () => {
  mkdirSync(at('tool/backend'), { recursive: true })
  writeFileSync(at('tool/package.json'), '{}')
  return at('tool/backend')
}

test.each([
  ['node_modules of the project', 'repo/app/node_modules/deno/deno', []],
  ['node_modules above the project, in its repository', 'repo/node_modules/deno/deno', []],
  ['a folder for programs of packages', 'repo/app/node_modules/.bin/deno', ['repo/app/node_modules/.bin']],
  ['such a folder outside of the project', 'other/node_modules/.bin/deno', ['other/node_modules/.bin']],
  ['a folder of the project in PATH', 'repo/app/bin/deno', ['repo/app/bin']],
  ['a folder of its repository in PATH', 'repo/tools/deno', ['repo/tools']],
  ['supabase itself', 'repo/app/supabase/deno', ['repo/app/supabase']],
])('a program in %s is not run, and named', (_name, file, path) => {
  const project = makeProject('repo', 'app')
  mkdirSync(at('repo/.git'))
  const planted = plant(at(file))
  const found = findDeno(project, { own: alone(), path: path.map(folder => at(folder)).join(delimiter) })
  expect(found).toEqual({ deno: undefined, ignored: [planted] })
  expect(existsSync(at('ran'))).toBe(false)
})

test('neither is one in a relative folder of PATH, nor one behind a link', () => {
  const project = makeProject('app')
  const planted = plant(at('app/bin/deno'))
  symlinkSync(at('app/bin'), at('link'))
  mkdirSync(at('links'))
  symlinkSync(planted, at('links/deno'))
  symlinkSync(project, at('alias'))
  const path = [at('link'), at('links'), at('alias/bin')].join(delimiter)
  expect(findDeno(project, { own: alone(), path })).toEqual({
    deno: undefined,
    ignored: [at('link/deno'), at('links/deno'), at('alias/bin/deno')],
  })
  expect(findDeno(at('alias'), { own: alone(), path }).deno).toBeUndefined()
  vi.spyOn(process, 'cwd').mockReturnValue(project)
  expect(findDeno(project, { own: alone(), path: 'bin' }).deno).toBeUndefined()
  expect(existsSync(at('ran'))).toBe(false)
})

test('one that is installed with the backend is run, and one in PATH outside of the project', () => {
  const project = makeProject('app')
  const planted = plant(at('app/node_modules/deno/deno'))
  const outside = plant(at('usr/bin/deno'), false)
  const path = [at('app/node_modules/.bin'), at('usr/bin')].join(delimiter)
  expect(findDeno(project, { own: alone(), path })).toEqual({
    deno: { path: outside, version: '2.9.6' },
    ignored: [planted],
  })
  const installed = plant(at('tool/node_modules/deno/deno'))
  expect(findDeno(project, { own: alone(), path }).deno).toEqual({ path: installed, version: '2.9.6' })
  mkdirSync(at('installed/node_modules/@chartroom/backend/dist'), { recursive: true })
  writeFileSync(at('installed/node_modules/@chartroom/backend/package.json'), '{}')
  const next = plant(at('installed/node_modules/deno/deno'))
  const own = at('installed/node_modules/@chartroom/backend/dist')
  expect(findDeno(project, { own, path: '' }).deno).toEqual({ path: next, version: '2.9.6' })
})

test('a backend of such a project runs nothing, and reports the program', async () => {
  const project = makeProject('app')
  const planted = plant(at('app/node_modules/deno/deno'))
  vi.stubEnv('PATH', [at('app/node_modules/deno'), process.env['PATH']].join(delimiter))
  const backend = await startTestBackend({ project })
  expect(backend.project?.ignoredPrograms).toContain(planted)
  const headers = { apikey: backend.publishableKey }
  await fetch(`${backend.url}/functions/v1/hello`, { headers })
  expect(existsSync(at('ran'))).toBe(false)
})
