// `chartroom migrate`: what it changes in the sources of real apps, what it leaves, and that it loses nothing.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { migrateCommand } from '../../src/cli/migrate.ts'
import { ran } from '../harness/command.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartroom-migrate-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const read = (file: string) => readFileSync(join(folder, file), 'utf8')
function write(file: string, text: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}

interface Report {
  readonly files: number
  readonly written: boolean
  readonly changes: readonly { readonly file: string; readonly calls: number }[]
  readonly remarks: readonly { file: string; line: number; kind: string; text: string }[]
}

async function migrated(...flags: readonly string[]): Promise<Report & { readonly code: number }> {
  const { code, out } = await ran(migrateCommand, folder, '--json', ...flags)
  return { code, ...(JSON.parse(out) as Report) }
}

/** What one file becomes. A second run must change nothing more. */
async function become(text: string, file = 'src/supabase.ts'): Promise<string> {
  write(file, text)
  await migrated()
  const once = read(file)
  expect((await migrated()).changes).toEqual([])
  expect(read(file)).toBe(once)
  return once
}

/** The remarks about one file, as `line kind text`. */
async function remarksOn(text: string, file = 'src/supabase.ts'): Promise<string[]> {
  write(file, text)
  const { remarks } = await migrated()
  return remarks.map(({ line, kind, text: words }) => `${line} ${kind} ${words}`)
}

describe('the sources of apps', () => {
  test('user management: a JavaScript module that exports the client', async () => {
    expect(
      await become(
        `import { createClient } from '@supabase/supabase-js'

const supabaseUrl = import.meta.env.VITE_SUPABASE_URL
const supabaseAnonKey = import.meta.env.VITE_SUPABASE_ANON_KEY

export const supabase = createClient(supabaseUrl, supabaseAnonKey)
`,
        'src/supabaseClient.js',
      ),
    ).toBe(`import { createChartroomClient } from 'chartroom'

const supabaseUrl = import.meta.env.VITE_SUPABASE_URL
const supabaseAnonKey = import.meta.env.VITE_SUPABASE_ANON_KEY

export const client = createChartroomClient(supabaseUrl, supabaseAnonKey)
export const supabase = client.supabase
`)
  })

  test('rooms: types in the same import, options, and a component that is typed by its declaration', async () => {
    expect(
      await become(
        `import {
  createClient,
  type RealtimeChannel, // one per room
  type SupabaseClient,
} from "@supabase/supabase-js";
import type { Database } from "./database.types";

/** The only client. */
export const supabase: SupabaseClient<Database> = createClient(
  import.meta.env.VITE_SUPABASE_URL, // set by Vite
  import.meta.env.VITE_SUPABASE_PUBLISHABLE_KEY,
  { auth: { flowType: "pkce" }, realtime: { params: { eventsPerSecond: 20 } } },
);

export const channels = new Map<string, RealtimeChannel>();
`,
      ),
    ).toBe(`import {
  type RealtimeChannel, // one per room
  type SupabaseClient,
} from "@supabase/supabase-js";
import { createChartroomClient } from "chartroom";
import type { Database } from "./database.types";

/** The only client. */
export const client = createChartroomClient<Database>(
  import.meta.env.VITE_SUPABASE_URL, // set by Vite
  import.meta.env.VITE_SUPABASE_PUBLISHABLE_KEY,
  { auth: { flowType: "pkce" }, realtime: { params: { eventsPerSecond: 20 } } },
);
export const supabase: SupabaseClient<Database> = client.supabase;

export const channels = new Map<string, RealtimeChannel>();
`)
  })

  test('kanban: a script of a Svelte component, with its own indentation', async () => {
    expect(
      await become(
        `<script context="module" lang="ts">
	export const prerender = false;
</script>

<script lang="ts">
	import { onMount } from 'svelte';
	import { createClient as connect, type User } from '@supabase/supabase-js';
	import { PUBLIC_URL, PUBLIC_KEY } from '$env/static/public';
	let user: User | undefined;
	const db = connect(PUBLIC_URL, PUBLIC_KEY);
	onMount(async () => ({ data: { user } } = await db.auth.getUser()));
</script>

<p title="a > b">{user?.email}</p>
`,
        'src/routes/+page.svelte',
      ),
    ).toContain(`
	import { onMount } from 'svelte';
	import { type User } from '@supabase/supabase-js';
	import { createChartroomClient } from 'chartroom';
	import { PUBLIC_URL, PUBLIC_KEY } from '$env/static/public';
	let user: User | undefined;
	const db = createChartroomClient(PUBLIC_URL, PUBLIC_KEY).supabase;
	onMount(`)
  })

  test('kanban: the setup script of a Vue component', async () => {
    expect(
      await become(
        `<script setup lang="ts">
import { createClient } from '@supabase/supabase-js'
const supabase = createClient<Database>(url, key)
</script>
<template><main>{{ supabase }}</main></template>
`,
        'src/App.vue',
      ),
    ).toBe(`<script setup lang="ts">
import { createChartroomClient } from 'chartroom'
const supabase = createChartroomClient<Database>(url, key).supabase
</script>
<template><main>{{ supabase }}</main></template>
`)
  })

  test('CRM: the browser client moves; clients with secret keys, edge functions and tests that mock stay', async () => {
    write(
      'src/providers/supabase.ts',
      `import { createClient } from "@supabase/supabase-js";

export const supabase = createClient(
  import.meta.env.VITE_SUPABASE_URL,
  import.meta.env.VITE_SB_PUBLISHABLE_KEY,
);
`,
    )
    const admin = `import { createClient } from "jsr:@supabase/supabase-js@2";

export const supabaseAdmin = createClient(Deno.env.get("SUPABASE_URL") ?? "", Deno.env.get("SB_SECRET_KEY") ?? "");
`
    write('supabase/functions/_shared/supabaseAdmin.ts', admin)
    const seed = `import { createClient } from '@supabase/supabase-js'
const { SUPABASE_URL, SERVICE_ROLE } = process.env
const key = SERVICE_ROLE
export const admin = createClient(SUPABASE_URL, key, { auth: { persistSession: false } })
`
    write('scripts/seed.mjs', seed)
    write('src/supabase.test.ts', `vi.mock('@supabase/supabase-js', () => ({ createClient: vi.fn() }))\n`)
    write(
      'node_modules/other/index.js',
      `import { createClient } from '@supabase/supabase-js'\ncreateClient(u, k)\n`,
    )
    write(
      '.next/server/page.js',
      `import { createClient } from '@supabase/supabase-js'\ncreateClient(u, k)\n`,
    )
    expect(await migrated()).toEqual({
      code: 1,
      files: 4,
      written: true,
      changes: [{ file: 'src/providers/supabase.ts', calls: 1 }],
      remarks: [
        {
          file: 'scripts/seed.mjs',
          line: 4,
          kind: 'note',
          text: 'it has a secret key and acts without a user, so supabase-js stays here',
        },
        {
          file: 'src/supabase.test.ts',
          line: 1,
          kind: 'left',
          text: 'this mocks @supabase/supabase-js; mock "chartroom", or the module that creates the client',
        },
        {
          file: 'supabase/functions/_shared/supabaseAdmin.ts',
          line: 1,
          kind: 'left',
          text: '"jsr:@supabase/supabase-js@2" is not imported from the installed package',
        },
      ],
    })
    expect(read('supabase/functions/_shared/supabaseAdmin.ts')).toBe(admin)
    expect(read('scripts/seed.mjs')).toBe(seed)
    expect(read('src/providers/supabase.ts')).toContain(
      'export const client = createChartroomClient(\n  import.meta.env.VITE_SUPABASE_URL,',
    )
  })
})

describe('calls', () => {
  test.each([
    [
      'a namespace import',
      `import * as sb from '@supabase/supabase-js'\nconst db = sb.createClient(url, key)\nsb.isAuthError\n`,
      `import * as sb from '@supabase/supabase-js'\nimport { createChartroomClient } from 'chartroom'\nconst db = createChartroomClient(url, key).supabase\nsb.isAuthError\n`,
    ],
    [
      'a require',
      `const { createClient: make } = require("@supabase/supabase-js");\nmodule.exports = make(url, key);\n`,
      `const { createChartroomClient } = require("chartroom");\nmodule.exports = createChartroomClient(url, key).supabase;\n`,
    ],
    [
      'an existing import of ours',
      `import { createClient, type User } from '@supabase/supabase-js'\nimport { createChartroomClient } from 'chartroom'\nconst [a, b] = [createClient(url, key), createChartroomClient(u, k).supabase]\n`,
      `import { type User } from '@supabase/supabase-js'\nimport { createChartroomClient } from 'chartroom'\nconst [a, b] = [createChartroomClient(url, key).supabase, createChartroomClient(u, k).supabase]\n`,
    ],
    [
      'only types left in use, and the result passed on',
      `import { createClient } from '@supabase/supabase-js'\ntype Db = ReturnType<typeof createClient>\nstart(createClient(url, key)!)\n`,
      `import { createClient } from '@supabase/supabase-js'\nimport { createChartroomClient } from 'chartroom'\ntype Db = ReturnType<typeof createClient>\nstart(createChartroomClient(url, key).supabase!)\n`,
    ],
    [
      'the last of the imports, with a comment',
      `import { type User, /* the client */ createClient } from '@supabase/supabase-js'\nlet db = createClient(url, key)\n`,
      `import { type User /* the client */ } from '@supabase/supabase-js'\nimport { createChartroomClient } from 'chartroom'\nlet db = createChartroomClient(url, key).supabase\n`,
    ],
    [
      'a local function of the same name',
      `import { createClient } from '@supabase/supabase-js'\nexport const db = createClient(url, key)\nfunction other(createClient: () => void) {\n  createClient()\n}\n`,
      `import { createChartroomClient } from 'chartroom'\nexport const client = createChartroomClient(url, key)\nexport const db = client.supabase\nfunction other(createClient: () => void) {\n  createClient()\n}\n`,
    ],
    [
      'a name that is taken',
      `import { createClient } from '@supabase/supabase-js'\nconst client = 1\nexport const db = createClient(url, key);\n`,
      `import { createChartroomClient } from 'chartroom'\nconst client = 1\nexport const chartroom = createChartroomClient(url, key);\nexport const db = chartroom.supabase;\n`,
    ],
    [
      'line ends and a byte order mark of Windows',
      `\uFEFFimport { createClient } from '@supabase/supabase-js'\r\n// größer\r\nexport const db = createClient(url, key)\r\n`,
      `\uFEFFimport { createChartroomClient } from 'chartroom'\r\n// größer\r\nexport const client = createChartroomClient(url, key)\r\nexport const db = client.supabase\r\n`,
    ],
    [
      'a type that the function returns',
      `import { createClient, SupabaseClient } from '@supabase/supabase-js'\nexport const make = (): SupabaseClient<Db> => createClient(url, key)\n`,
      `import { SupabaseClient } from '@supabase/supabase-js'\nimport { createChartroomClient } from 'chartroom'\nexport const make = (): SupabaseClient<Db> => createChartroomClient<Db>(url, key).supabase\n`,
    ],
    [
      'a default import as well',
      `import sb, { createClient } from '@supabase/supabase-js'\nstart(createClient(url, key), sb)\n`,
      `import sb from '@supabase/supabase-js'\nimport { createChartroomClient } from 'chartroom'\nstart(createChartroomClient(url, key).supabase, sb)\n`,
    ],
  ])('%s', async (_name, before, after) => {
    expect(await become(before)).toBe(after)
  })

  test('imports of a module that exports createClient again', async () => {
    write('src/lib/sdk.ts', `export { createClient as connect, type User } from '@supabase/supabase-js'\n`)
    write('src/lib/index.ts', `export * from '@supabase/supabase-js'\n`)
    write(
      'src/a.ts',
      `import { connect, type User } from './lib/sdk.js'\nexport const db = connect(url, key)\n`,
    )
    write(
      'src/b.tsx',
      `import { createClient } from './lib'\nexport const App = () => <a db={createClient(url, key)} />\n`,
    )
    const { code, changes, remarks } = await migrated()
    expect(changes.map(({ file }) => file)).toEqual(['src/a.ts', 'src/b.tsx'])
    expect(read('src/a.ts')).toBe(
      `import { type User } from './lib/sdk.js'\nimport { createChartroomClient } from 'chartroom'\nexport const client = createChartroomClient(url, key)\nexport const db = client.supabase\n`,
    )
    expect(read('src/b.tsx')).toContain('<a db={createChartroomClient(url, key).supabase} />')
    expect(code).toBe(0)
    expect(remarks.map(({ file, kind }) => `${kind} ${file}`)).toEqual([
      'note src/b.tsx',
      'note src/lib/index.ts',
      'note src/lib/sdk.ts',
    ])
  })
})

describe('what is left', () => {
  test.each([
    [
      'spread arguments',
      `import { createClient } from '@supabase/supabase-js'\n\ncreateClient(...config)\n`,
      '3 left the arguments are spread; write them out',
    ],
    [
      'a secret key',
      `import { createClient } from '@supabase/supabase-js'\ncreateClient(url, 'sb_secret_abc')\n`,
      '2 note it has a secret key and acts without a user, so supabase-js stays here',
    ],
    [
      'a legacy service key',
      `import { createClient } from '@supabase/supabase-js'\ncreateClient(url, 'e30.${Buffer.from('{"role":"service_role"}').toString('base64url')}.x')\n`,
      '2 note it has a secret key and acts without a user, so supabase-js stays here',
    ],
    [
      'the sender of a request',
      `import { createClient } from '@supabase/supabase-js'\ncreateClient(url, key, { global: { headers: { Authorization: auth } } })\n`,
      '2 left it acts as the sender of a request; see chartroom/ssr for clients of servers',
    ],
    [
      'an option that is refused',
      `import { createClient } from '@supabase/supabase-js'\ncreateClient(url, key, { ...base, auth: { persistSession: false, debug: true } })\n`,
      '2 left the option auth.debug is not supported: Pass `recording`, and open the console.',
    ],
    [
      'an option that does not exist',
      `import { createClient } from '@supabase/supabase-js'\ncreateClient(url, key, { 'realtime': { eventsPerSecond: 10 } })\n`,
      '2 left there is no option realtime.eventsPerSecond in Chartroom',
    ],
    [
      'a function that is passed on',
      `import { createClient } from '@supabase/supabase-js'\nconst make = createClient\n`,
      '2 left createClient is used without being called here; call createChartroomClient instead',
    ],
    [
      'a dynamic import',
      `const { createClient } = await import('@supabase/supabase-js')\nawait createClient(url, key)\n`,
      '1 left @supabase/supabase-js is imported dynamically; import() "chartroom" instead',
    ],
    [
      'the name of ours for something else',
      `import { createClient } from '@supabase/supabase-js'\nconst createChartroomClient = 1\ncreateClient(url, key)\n`,
      '3 left the module uses the name createChartroomClient for something else',
    ],
    [
      'a whole module',
      `const supabase = require('@supabase/supabase-js')\nsupabase.createClient(url, key)\n`,
      '1 left @supabase/supabase-js is required as a whole; require { createClient } by name and run this again',
    ],
    [
      'server actions',
      `'use server'\nimport { createClient } from '@supabase/supabase-js'\nexport const act = async () => createClient(url, key)\n`,
      '3 left server actions: a server needs a client per request; see chartroom/ssr, or keep supabase-js',
    ],
    [
      'a syntax error',
      `import { createClient } from '@supabase/supabase-js'\nconst = 1\n`,
      '2 left it does not parse: ',
    ],
  ])('%s', async (_name, text, remark) => {
    const [found, ...more] = await remarksOn(text)
    expect(found).toContain(remark)
    expect(more).toEqual([])
    expect(read('src/supabase.ts')).toBe(text)
  })

  test('a route handler of the server, and a file that is not UTF-8', async () => {
    const text = `import { createClient } from '@supabase/supabase-js'\nexport const GET = () => createClient(url, key)\n`
    expect(await remarksOn(text, 'app/api/notes/route.ts')).toEqual([
      '2 left a route handler: a server needs a client per request; see chartroom/ssr, or keep supabase-js',
    ])
    const bytes = Buffer.concat([Buffer.from(text), Buffer.from([0xff])])
    write('app/api/notes/route.ts', bytes)
    expect((await migrated()).remarks).toMatchObject([{ text: 'it is not encoded in UTF-8' }])
    expect(readFileSync(join(folder, 'app/api/notes/route.ts'))).toEqual(bytes)
  })

  test('a client that a function creates is migrated with a note', async () => {
    expect(
      await remarksOn(
        `import { createClient } from '@supabase/supabase-js'\nexport const getClient = () => createClient(url, key)\n`,
      ),
    ).toEqual([
      '2 note each call of getClient creates a client, which runs until dispose(); create one per app, outside of functions',
    ])
    expect(read('src/supabase.ts')).toContain('() => createChartroomClient(url, key).supabase')
  })
})

test('a mock of supabase-js stays where no client of it was migrated, as beside an admin client', async () => {
  write(
    'src/mailer.ts',
    `import { createClient } from '@supabase/supabase-js'\nexport const admin = createClient(url, process.env.SERVICE_ROLE_KEY)\n`,
  )
  const mock = `import { createClient } from '@supabase/supabase-js'\nvi.mock('@supabase/supabase-js')\nvi.mocked(createClient).mockReturnValue(client)\n`
  write('src/mailer.test.ts', mock)
  const { code, remarks } = await migrated()
  expect(code).toBe(0)
  expect(remarks.map(({ kind, file }) => `${kind} ${file}`)).toEqual(['note src/mailer.ts'])
  write(
    'src/db.ts',
    `import { createClient } from '@supabase/supabase-js'\nexport default createClient(url, key)\n`,
  )
  expect((await migrated()).remarks.map(({ kind, file }) => `${kind} ${file}`)).toEqual([
    'left src/mailer.test.ts',
    'note src/mailer.ts',
  ])
})

describe('a generated file', () => {
  const generated = `// This file is automatically generated. Do not edit it directly.
import { createClient } from '@supabase/supabase-js';
import type { Database } from './types';

export const supabase = createClient<Database>(SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY, {
  auth: { storage: localStorage, persistSession: true, autoRefreshToken: true },
});
`
  const file = 'src/integrations/supabase/client.ts'

  test('stays, with the lines for Vite; with these, nothing is left', async () => {
    const config = `import { defineConfig } from 'vite'\nexport default defineConfig({ plugins: [] })\n`
    write('vite.config.ts', config)
    write(file, generated)
    const { code, changes, remarks } = await migrated()
    expect({ code, changes }).toEqual({ code: 0, changes: [] })
    expect(remarks).toEqual([
      {
        file,
        line: 1,
        kind: 'note',
        text: "it is generated, so it was not changed; in vite.config.ts, write: import { chartroomAlias } from 'chartroom/vite' – and: plugins: [chartroomAlias(), …]",
      },
    ])
    expect(read(file)).toBe(generated)
    write('vite.config.ts', `import { chartroomAlias } from 'chartroom/vite'\n${config}`)
    expect((await migrated()).remarks).toEqual([])
  })

  test('stays in an app without Vite, and is left', async () => {
    expect(await remarksOn(generated, file)).toEqual([
      '1 left it is generated, so it was not changed; create the client in another file, or remove that sentence and run this again',
    ])
    expect(read(file)).toBe(generated)
  })

  test.each([
    ['generated types in its imports', `// Uses the generated types. Change them with care.\n`],
    ['a sentence further down', `${'// Notes.\n'.repeat(200)}// Generated code, do not edit.\n`],
  ])('%s do not make it one', async (_name, head) => {
    expect(await become(head + generated.replace(/^.*\n/, ''), file)).toContain(
      'createChartroomClient<Database>(',
    )
  })
})

describe('the command', () => {
  const text = `import { createClient } from '@supabase/supabase-js'\nexport const db = createClient(url, key)\n`

  test('a dry run prints a diff and writes nothing', async () => {
    write('src/db.ts', text)
    write('package.json', '{ "dependencies": {} }')
    const { code, out, err } = await ran(migrateCommand, folder, '--dry-run')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toBe(`===================================================================
--- a/src/db.ts
+++ b/src/db.ts
@@ -1,2 +1,3 @@
-import { createClient } from '@supabase/supabase-js'
-export const db = createClient(url, key)
+import { createChartroomClient } from 'chartroom'
+export const client = createChartroomClient(url, key)
+export const db = client.supabase
DONE  src/db.ts
1 file read, 1 client in 1 file would be migrated, 0 places left.
Install the package: npm install PATH/dist-packages/chartroom.tgz (npm run build:package in Chartroom's repository writes the file)
`)
    expect(read('src/db.ts')).toBe(text)
  })

  test('one file, whose permissions stay', async () => {
    write('db.ts', text)
    chmodSync(join(folder, 'db.ts'), 0o755)
    const { code, out } = await ran(migrateCommand, join(folder, 'db.ts'))
    expect(code).toBe(0)
    expect(out).toContain('1 client in 1 file migrated')
    expect(statSync(join(folder, 'db.ts')).mode & 0o777).toBe(0o755)
  })

  test('a folder that does not exist', async () => {
    const { code, err } = await ran(migrateCommand, join(folder, 'nowhere'))
    expect(code).toBe(2)
    expect(err).toBe(`${join(folder, 'nowhere')} can't be read: no such file. Name the folder of the app.\n`)
  })
})
