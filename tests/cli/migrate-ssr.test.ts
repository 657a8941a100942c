// `chartroom migrate` in apps with @supabase/ssr: each framework's files before and after, whose types are checked.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { root } from '../../scripts/tool.ts'
import { migrateCommand } from '../../src/cli/migrate.ts'
import { ran } from '../harness/command.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartroom-migrate-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const read = (file: string) => readFileSync(join(folder, file), 'utf8')
function write(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}

async function migrated() {
  const { code, out } = await ran(migrateCommand, folder, '--json')
  const { changes, remarks } = JSON.parse(out) as {
    changes: { file: string; calls: number }[]
    remarks: { file: string; line: number; kind: string; text: string }[]
  }
  return { code, changes, remarks: remarks.map(({ line, kind, text }) => `${line} ${kind} ${text}`) }
}

describe('one module', () => {
  test.each<[name: string, before: string, after: string, ...remarks: string[]]>([
    [
      'a browser client in a function',
      `import { createBrowserClient } from '@supabase/ssr'\nexport const createClient = () => createBrowserClient(url, key)\n`,
      `import { createBrowserClient } from 'chartroom/ssr'\nexport const createClient = () => createBrowserClient(url, key)\n`,
    ],
    [
      'the first of the imports',
      `import { createBrowserClient, createServerClient, isBrowser } from "@supabase/ssr";\nconst db = isBrowser() ? createBrowserClient(url, key) : createServerClient(url, key, { cookies });\n`,
      `import { isBrowser } from "@supabase/ssr";\nimport { createBrowserClient, createServerClient } from "chartroom/ssr";\nconst db = isBrowser() ? createBrowserClient(url, key) : createServerClient(url, key, { cookies });\n`,
    ],
    [
      'the last of the imports, with a comment',
      `import {\n  parseCookieHeader, // of a request\n  createServerClient,\n} from '@supabase/ssr'\ncreateServerClient(url, key, { cookies })\n`,
      `import {\n  parseCookieHeader, // of a request\n} from '@supabase/ssr'\nimport { createServerClient } from 'chartroom/ssr'\ncreateServerClient(url, key, { cookies })\n`,
    ],
    [
      'another name, beside a type',
      `import { type CookieOptions, createServerClient as connect } from '@supabase/ssr'\nconnect(url, key, { cookies })\n`,
      `import { type CookieOptions } from '@supabase/ssr'\nimport { createServerClient as connect } from 'chartroom/ssr'\nconnect(url, key, { cookies })\n`,
    ],
    [
      'three type arguments, as before version 0.7',
      `import { createBrowserClient } from '@supabase/ssr'\ncreateBrowserClient<Database, 'public', Database['public']>(url, key)\n`,
      `import { createBrowserClient } from 'chartroom/ssr'\ncreateBrowserClient<Database, 'public'>(url, key)\n`,
    ],
    [
      'a function that is passed on, and its type',
      `import { createBrowserClient } from '@supabase/ssr'\ntype Db = ReturnType<typeof createBrowserClient<Database>>\nexport const make = createBrowserClient\n`,
      `import { createBrowserClient } from 'chartroom/ssr'\ntype Db = ReturnType<typeof createBrowserClient<Database>>\nexport const make = createBrowserClient\n`,
    ],
    [
      'exports',
      `export { createBrowserClient, createServerClient as server } from '@supabase/ssr'\n`,
      `export { createBrowserClient, createServerClient as server } from 'chartroom/ssr'\n`,
    ],
    [
      'a require, and a dynamic import',
      `const { createServerClient } = require('@supabase/ssr')\nasync function load() {\n  const { createBrowserClient: make } = await import('@supabase/ssr')\n  return make(url, key) ?? createServerClient(url, key, { cookies })\n}\n`,
      `const { createServerClient } = require('chartroom/ssr')\nasync function load() {\n  const { createBrowserClient: make } = await import('chartroom/ssr')\n  return make(url, key) ?? createServerClient(url, key, { cookies })\n}\n`,
    ],
    [
      'a namespace',
      `import * as ssr from '@supabase/ssr'\nssr.createServerClient(url, key, { cookies: ssr.parseCookieHeader(a) })\n`,
      `import * as ssr from '@supabase/ssr'\nimport { createServerClient as createChartroomServerClient } from 'chartroom/ssr'\ncreateChartroomServerClient(url, key, { cookies: ssr.parseCookieHeader(a) })\n`,
    ],
    [
      'an admin client',
      `import { createServerClient } from '@supabase/ssr'\nexport const admin = createServerClient(url, process.env.PRIVATE_SUPABASE_SERVICE_KEY!, { cookies })\n`,
      `import { createServerClient } from '@supabase/ssr'\nexport const admin = createServerClient(url, process.env.PRIVATE_SUPABASE_SERVICE_KEY!, { cookies })\n`,
      '2 note it has a secret key and acts without a user, so @supabase/ssr stays here',
    ],
    [
      'an admin client beside one of a user',
      `import { createServerClient, serializeCookieHeader } from '@supabase/ssr'\ncreateServerClient(url, env.SERVICE_ROLE, { cookies })\ncreateServerClient<Database>(url, key, { cookies })\n`,
      `import { createServerClient, serializeCookieHeader } from '@supabase/ssr'\nimport { createServerClient as createChartroomServerClient } from 'chartroom/ssr'\ncreateServerClient(url, env.SERVICE_ROLE, { cookies })\ncreateChartroomServerClient<Database>(url, key, { cookies })\n`,
      '2 note it has a secret key and acts without a user, so @supabase/ssr stays here',
    ],
    [
      'a client of supabase-js with a secret key in the same module',
      `import { createServerClient } from '@supabase/ssr'\nimport { createClient } from '@supabase/supabase-js'\nexport const admin = createClient(url, SERVICE_ROLE_KEY)\nexport const db = createServerClient(url, key, { cookies })\n`,
      `import { createServerClient } from 'chartroom/ssr'\nimport { createClient } from '@supabase/supabase-js'\nexport const admin = createClient(url, SERVICE_ROLE_KEY)\nexport const db = createServerClient(url, key, { cookies })\n`,
      '3 note it has a secret key and acts without a user, so supabase-js stays here',
    ],
    [
      'many clients of a page',
      `import { createBrowserClient } from '@supabase/ssr'\nexport const make = () => createBrowserClient(url, key, { isSingleton: false, cookieOptions: { name } })\n`,
      `import { createBrowserClient } from 'chartroom/ssr'\nexport const make = () => createBrowserClient(url, key, { isSingleton: false, cookieOptions: { name } })\n`,
      '2 note each call of make creates a client, which runs until chartroomOf(client).dispose(), since isSingleton is false',
    ],
  ])('%s', async (_name, before, after, ...remarks) => {
    write('src/db.ts', before)
    const result = await migrated()
    expect(read('src/db.ts')).toBe(after)
    expect(result).toMatchObject({ code: 0, remarks })
    const again = await migrated()
    expect(again).toMatchObject({ changes: [] })
    expect(read('src/db.ts')).toBe(after)
  })

  test.each<[name: string, text: string, remark: string]>([
    [
      'an option that is refused',
      `import { createBrowserClient } from '@supabase/ssr'\ncreateBrowserClient(url, key, { cookieEncoding: 'raw', auth: { debug: true } })\n`,
      '2 left the option auth.debug is not supported: Pass `recording`, and open the console.',
    ],
    [
      'an encoding that is not supported',
      `import { createBrowserClient } from '@supabase/ssr'\ncreateBrowserClient(url, key, { cookies: { encode: 'tokens-only' } })\n`,
      "2 left cookies.encode: 'tokens-only' is not supported",
    ],
    [
      'exports among others',
      `export { createServerClient, parseCookieHeader } from '@supabase/ssr'\n`,
      '1 left it exports clients of @supabase/ssr with other names; export them from "chartroom/ssr" in a separate statement',
    ],
    [
      'all exports',
      `export * from '@supabase/ssr'\n`,
      '1 left it exports all of @supabase/ssr; export its parts, and the clients of chartroom/ssr',
    ],
    [
      'a dynamic import of everything',
      `const ssr = await import('@supabase/ssr')\nssr.createServerClient(url, key, { cookies })\n`,
      '1 left @supabase/ssr is imported dynamically; import() "chartroom/ssr" instead',
    ],
    [
      'deprecated helpers',
      `import { createMiddlewareClient } from '@supabase/auth-helpers-nextjs'\n`,
      '1 left @supabase/auth-helpers-nextjs is deprecated; use chartroom/ssr for sessions in cookies',
    ],
  ])('%s is left', async (_name, text, remark) => {
    write('src/db.ts', text)
    expect(await migrated()).toEqual({ code: 1, changes: [], remarks: [remark] })
    expect(read('src/db.ts')).toBe(text)
  })
})

/** What frameworks export, as far as the files below use it. */
const FRAMEWORKS = `
interface Cookie { name: string; value: string }
interface CookieStore { getAll(): Cookie[]; set(name: string, value: string, options?: object): void }
declare module 'next/headers' { export function cookies(): Promise<CookieStore> }
declare module 'next/server' {
  export interface NextRequest { cookies: CookieStore; nextUrl: URL }
  export class NextResponse {
    static next(init?: { request: NextRequest }): NextResponse
    static redirect(url: URL): NextResponse
    cookies: CookieStore
    headers: Headers
  }
}
declare module '$env/static/public' {
  export const PUBLIC_SUPABASE_URL: string
  export const PUBLIC_SUPABASE_PUBLISHABLE_KEY: string
}
declare module '@sveltejs/kit' {
  import type { Session, SupabaseClient } from '@supabase/supabase-js'
  export type Handle = (input: {
    event: {
      cookies: { getAll(): Cookie[]; set(name: string, value: string, options: object & { path: string }): void }
      locals: { supabase: SupabaseClient; safeGetSession(): Promise<{ session: Session | null }> }
    }
    resolve(event: object, options?: object): Promise<Response>
  }) => Promise<Response>
  export type LayoutLoad = (input: {
    data: { cookies: Cookie[] }
    depends(name: string): void
    fetch: typeof globalThis.fetch
  }) => Promise<object>
}
declare module '@tanstack/react-start/server' {
  export function getCookies(): Record<string, string>
  export function setCookie(name: string, value: string, options?: object): void
}
declare module 'astro:middleware' {
  export function defineMiddleware<Handler extends (context: {
    request: Request
    cookies: { set(name: string, value: string, options?: object): void }
    locals: { email?: string | undefined }
  }, next: () => Promise<Response>) => Promise<Response>>(handler: Handler): Handler
}
declare function defineNuxtPlugin<Result>(setup: () => Result): Result
declare function useRuntimeConfig(): { public: { url: string; key: string } }
`

const DATABASE = `export interface Database {
  public: {
    Tables: { notes: { Row: { id: number; text: string }; Insert: { text: string }; Update: { text?: string }; Relationships: [] } }
    Views: { [_ in never]: never }
    Functions: { [_ in never]: never }
  }
}
`

/** Files of apps, by framework, and how many calls move in each. */
const APPS: Readonly<Record<string, Readonly<Record<string, readonly [calls: number, text: string]>>>> = {
  next: {
    'lib/supabase/client.ts': [
      2,
      `import { createBrowserClient } from '@supabase/ssr'
import type { Database } from '../../../database'

let cached: ReturnType<typeof createBrowserClient> | undefined

export function createClient() {
  return createBrowserClient<Database>(process.env['NEXT_PUBLIC_SUPABASE_URL']!, process.env['NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY']!)
}

export const untyped = () => (cached ??= createBrowserClient(process.env['URL']!, process.env['KEY']!, { realtime: { params: { eventsPerSecond: 20 } } }))

export async function notes(): Promise<string[]> {
  const supabase = createClient()
  const { data: { user } } = await supabase.auth.getUser()
  const { data } = await supabase.from('notes').select('text').eq('id', Number(user?.id))
  return (data ?? []).map(({ text }) => text)
}
`,
    ],
    'lib/supabase/server.ts': [
      2,
      `import { type CookieOptions, createServerClient } from '@supabase/ssr'
import { cookies } from 'next/headers'
import type { Database } from '../../../database'

export async function createClient() {
  const cookieStore = await cookies()
  return createServerClient<Database, 'public'>(process.env['NEXT_PUBLIC_SUPABASE_URL']!, process.env['NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY']!, {
    cookies: {
      getAll() {
        return cookieStore.getAll()
      },
      setAll(cookiesToSet) {
        try {
          cookiesToSet.forEach(({ name, value, options }) => cookieStore.set(name, value, options))
        } catch {
          // A server component.
        }
      },
    },
    auth: { autoRefreshToken: false },
    db: { schema: 'public' },
  })
}

export async function createOld() {
  const values = new Map<string, string>()
  return createServerClient(process.env['URL']!, process.env['KEY']!, {
    cookies: {
      get(name: string) {
        return values.get(name)
      },
      set(name: string, value: string, _options: CookieOptions) {
        values.set(name, value)
      },
      remove(name: string, _options: CookieOptions) {
        values.delete(name)
      },
    },
  })
}
`,
    ],
    'lib/supabase/middleware.ts': [
      1,
      `import { createServerClient } from '@supabase/ssr'
import { type NextRequest, NextResponse } from 'next/server'

export async function updateSession(request: NextRequest) {
  let supabaseResponse = NextResponse.next({ request })
  const supabase = createServerClient(process.env['NEXT_PUBLIC_SUPABASE_URL']!, process.env['NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY']!, {
    cookies: {
      getAll() {
        return request.cookies.getAll()
      },
      setAll(cookiesToSet, headers) {
        cookiesToSet.forEach(({ name, value }) => request.cookies.set(name, value))
        supabaseResponse = NextResponse.next({ request })
        cookiesToSet.forEach(({ name, value, options }) => supabaseResponse.cookies.set(name, value, options))
        Object.entries(headers).forEach(([name, value]) => supabaseResponse.headers.set(name, value))
      },
    },
  })
  const { data } = await supabase.auth.getClaims()
  if (!data?.claims.sub && !request.nextUrl.pathname.startsWith('/login')) return NextResponse.redirect(new URL('/login', request.nextUrl))
  return supabaseResponse
}
`,
    ],
    'lib/supabase/admin.ts': [
      0,
      `import { createServerClient } from '@supabase/ssr'
import type { Database } from '../../../database'

export const createAdmin = () =>
  createServerClient<Database>(process.env['NEXT_PUBLIC_SUPABASE_URL']!, process.env['SUPABASE_SERVICE_ROLE_KEY']!, { cookies: { getAll: () => [] } })
`,
    ],
  },
  sveltekit: {
    'src/hooks.server.ts': [
      1,
      `import { createServerClient } from '@supabase/ssr'
import type { Handle } from '@sveltejs/kit'
import { PUBLIC_SUPABASE_PUBLISHABLE_KEY, PUBLIC_SUPABASE_URL } from '$env/static/public'

export const handle: Handle = async ({ event, resolve }) => {
  event.locals.supabase = createServerClient(PUBLIC_SUPABASE_URL, PUBLIC_SUPABASE_PUBLISHABLE_KEY, {
    cookies: {
      getAll: () => event.cookies.getAll(),
      setAll: cookiesToSet => {
        cookiesToSet.forEach(({ name, value, options }) => event.cookies.set(name, value, { ...options, path: '/' }))
      },
    },
  })
  event.locals.safeGetSession = async () => {
    const { data: { session } } = await event.locals.supabase.auth.getSession()
    return { session }
  }
  return resolve(event)
}
`,
    ],
    'src/routes/+layout.ts': [
      2,
      `import { createBrowserClient, createServerClient, isBrowser } from '@supabase/ssr'
import type { LayoutLoad } from '@sveltejs/kit'
import { PUBLIC_SUPABASE_PUBLISHABLE_KEY, PUBLIC_SUPABASE_URL } from '$env/static/public'
import type { Database } from '../../../database'

export const load: LayoutLoad = async ({ data, depends, fetch }) => {
  depends('supabase:auth')
  const supabase = isBrowser()
    ? createBrowserClient<Database>(PUBLIC_SUPABASE_URL, PUBLIC_SUPABASE_PUBLISHABLE_KEY, { global: { fetch } })
    : createServerClient<Database>(PUBLIC_SUPABASE_URL, PUBLIC_SUPABASE_PUBLISHABLE_KEY, {
        global: { fetch },
        cookies: {
          getAll() {
            return data.cookies
          },
        },
      })
  const { data: { session } } = await supabase.auth.getSession()
  const { data: notes } = await supabase.from('notes').select('id, text')
  return { session, supabase, texts: notes?.map(({ text }) => text.trim()) }
}
`,
    ],
  },
  reactRouter: {
    'app/lib/supabase/server.ts': [
      1,
      `import { createServerClient, parseCookieHeader, serializeCookieHeader } from '@supabase/ssr'

export function createClient(request: Request) {
  const headers = new Headers()
  const supabase = createServerClient(process.env['VITE_SUPABASE_URL']!, process.env['VITE_SUPABASE_PUBLISHABLE_KEY']!, {
    cookies: {
      getAll() {
        return parseCookieHeader(request.headers.get('Cookie') ?? '') as { name: string; value: string }[]
      },
      setAll(cookiesToSet) {
        cookiesToSet.forEach(({ name, value, options }) => headers.append('Set-Cookie', serializeCookieHeader(name, value, options)))
      },
    },
  })
  return { supabase, headers }
}
`,
    ],
  },
  nuxt: {
    'app/plugins/supabase.ts': [
      1,
      `import { createBrowserClient } from '@supabase/ssr'
import type { SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '../../../database'

export default defineNuxtPlugin(() => {
  const { url, key } = useRuntimeConfig().public
  const supabase: SupabaseClient<Database> = createBrowserClient<Database>(url, key)
  return { provide: { supabase } }
})
`,
    ],
  },
  tanstack: {
    'src/lib/supabase/server.ts': [
      1,
      `import { createServerClient } from '@supabase/ssr'
import { getCookies, setCookie } from '@tanstack/react-start/server'

export function createClient() {
  return createServerClient(process.env['VITE_SUPABASE_URL']!, process.env['VITE_SUPABASE_PUBLISHABLE_KEY']!, {
    cookies: {
      getAll() {
        return Object.entries(getCookies()).map(([name, value]) => ({ name, value }) as { name: string; value: string })
      },
      setAll(cookies) {
        cookies.forEach(cookie => {
          setCookie(cookie.name, cookie.value, cookie.options)
        })
      },
    },
  })
}
`,
    ],
  },
  astro: {
    'src/middleware.ts': [
      1,
      `import { createServerClient, parseCookieHeader } from '@supabase/ssr'
import { defineMiddleware } from 'astro:middleware'

export const onRequest = defineMiddleware(async (context, next) => {
  const supabase = createServerClient(process.env['PUBLIC_SUPABASE_URL']!, process.env['PUBLIC_SUPABASE_PUBLISHABLE_KEY']!, {
    cookies: {
      getAll: () => parseCookieHeader(context.request.headers.get('Cookie') ?? ''),
      setAll: all => all.forEach(({ name, value, options }) => context.cookies.set(name, value, options)),
    },
  })
  context.locals.email = (await supabase.auth.getUser()).data.user?.email
  return next()
})
`,
    ],
    'src/pages/notes.astro': [
      2,
      `---
import { createServerClient } from '@supabase/ssr'
const supabase = createServerClient(url, key, { cookies: Astro.cookies })
const { data } = await supabase.auth.getUser()
if (!data.user) return Astro.redirect('/login')
---

<p>{data.user.email} --- </p>
<script>
  import { createBrowserClient } from '@supabase/ssr'
  createBrowserClient(url, key)
</script>
`,
    ],
  },
}

test('the apps of six frameworks move, and their types are right before and after', async () => {
  write('frameworks.d.ts', FRAMEWORKS)
  write('database.ts', DATABASE)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir')
  const paths = {
    chartroom: [join(root, 'src/public/index.ts')],
    'chartroom/ssr': [join(root, 'src/public/ssr.ts')],
  }
  // As in apps.
  const compilerOptions = { paths, types: ['node'], exactOptionalPropertyTypes: false }
  const extended = join(root, 'tsconfig.json')
  write('tsconfig.json', JSON.stringify({ extends: extended, compilerOptions, include: ['.'], exclude: [] }))
  const expected: { file: string; calls: number }[] = []
  for (const [app, files] of Object.entries(APPS))
    for (const [file, [calls, text]] of Object.entries(files)) {
      write(`${app}/${file}`, text)
      if (calls > 0) expected.push({ file: `${app}/${file}`, calls })
    }
  const typeErrors = async () => {
    const compiler = join(root, 'node_modules/.bin/tsc')
    const { stdout } = await promisify(execFile)(compiler, ['-p', '.', '--pretty', 'false'], {
      cwd: folder,
    }).catch((error: unknown) => error as { stdout: string })
    // Our sources are written for stricter options.
    return stdout.split('\n').filter(line => /^\w/.test(line))
  }
  expect(await typeErrors()).toEqual([])
  const { code, changes, remarks } = await migrated()
  expect(changes.toSorted((one, other) => (one.file < other.file ? -1 : 1))).toEqual(
    expected.toSorted((one, other) => (one.file < other.file ? -1 : 1)),
  )
  expect({ code, remarks }).toEqual({
    code: 0,
    remarks: ['5 note it has a secret key and acts without a user, so @supabase/ssr stays here'],
  })
  expect(await typeErrors()).toEqual([])
  for (const { file } of expected) expect(read(file)).toContain("from 'chartroom/ssr'")
  expect(read('astro/src/pages/notes.astro')).not.toContain('@supabase/ssr')
})
