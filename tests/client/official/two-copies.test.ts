// An app whose package manager installed the parts of supabase-js twice: those of its supabase-js, and those that
// Chartroom imports itself. Its errors are of the classes that it imports.
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../../../scripts/tool.ts'
import { startTestBackend } from '../../harness/backend.ts'

const run = promisify(execFile)
const backend = await startTestBackend()

/** A folder with another copy of each part. */
function copyParts(): string {
  const dir = mkdtempSync(join(tmpdir(), 'chartroom-copies-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const modules = join(dir, 'node_modules')
  for (const part of ['auth', 'functions', 'postgrest', 'realtime', 'storage'])
    cpSync(join(root, `node_modules/@supabase/${part}-js`), join(modules, `@supabase/${part}-js`), {
      recursive: true,
    })
  for (const library of ['@supabase/phoenix', 'iceberg-js', 'tslib'])
    symlinkSync(join(root, 'node_modules', library), join(modules, library), 'junction')
  return dir
}

/** Imports of parts from outside of node_modules get those of the folder. */
const twoCopies = (dir: string) => `
  const { registerHooks } = await import('node:module')
  const isPart = name => /^@supabase\\/(auth|functions|postgrest|realtime|storage)-js$/.test(name)
  const parentURL = ${JSON.stringify(pathToFileURL(join(dir, 'chartroom.js')).href)}
  registerHooks({
    resolve(name, context, next) {
      const isDirect = isPart(name) && !context.parentURL?.includes('/node_modules/')
      return next(name, isDirect ? { ...context, parentURL } : context)
    },
  })
`

test('errors of auth, functions, storage and queries are instances of the classes that the app imports', async () => {
  const script = `
    ${twoCopies(copyParts())}
    const app = await import('@supabase/supabase-js')
    const direct = await import('@supabase/auth-js')
    const { createChartroomClient } = await import('./src/public/index.ts')
    const client = createChartroomClient('${backend.url}', '${backend.publishableKey}')
    const { auth, functions, storage } = client.supabase
    const isOfApp = error => error instanceof app.PostgrestError
    const thrown = async query => { try { await query } catch (error) { return isOfApp(error) } }
    const found = {
      isOther: direct.AuthApiError !== app.AuthApiError,
      signIn: (await auth.signInWithPassword({ email: 'a@b.test', password: 'wrong' })).error instanceof app.AuthApiError,
      user: (await auth.getUser()).error instanceof app.AuthSessionMissingError,
      function: (await functions.invoke('missing')).error instanceof app.FunctionsHttpError,
      bucket: (await storage.getBucket('missing')).error instanceof app.StorageApiError,
      file: (await storage.from('charts').info('missing')).error instanceof app.StorageApiError,
      query: await thrown(client.supabase.from('missing').select().throwOnError()),
      write: await thrown(client.supabase.from('missing').insert({ n: 1 }).select().single().throwOnError()),
      procedure: await thrown(client.supabase.schema('public').rpc('missing').throwOnError()),
      caught: await client.supabase.from('missing').select().throwOnError().then(undefined, isOfApp),
    }
    await client.dispose()
    globalThis.process.stdout.write(JSON.stringify(found), () => globalThis.process.exit())
  `
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: root })
  expect(JSON.parse(stdout)).toEqual({
    isOther: true,
    signIn: true,
    user: true,
    function: true,
    bucket: true,
    file: true,
    query: true,
    write: true,
    procedure: true,
    caught: true,
  })
})
