// The import rules and banned globals of the design, each proved by code that breaks it and code that passes.
import { describe, expect, test } from 'vitest'
import { packages } from '../../oxlint.config.ts'
import { lintLines, type Line } from './lint-tree.ts'

const IMPORTS = 'chartroom(imports)'
const GLOBALS = 'eslint(no-restricted-globals)'
const PROPERTIES = 'eslint(no-restricted-properties)'
const SLEEP = 'chartroom(no-sleep)'
const DATE = 'chartroom(no-current-date)'

/** From a file, to a specifier: imports forbidden in every layer. */
const forbiddenImports: readonly (readonly [from: string, to: string])[] = [
  ['src/trace/format/records.ts', 'xstate'],
  ['src/trace/format/records.ts', 'node:fs'],
  ['src/trace/format/records.ts', '../../machines/index.ts'],
  ['src/trace/format/records.ts', '../../services/runtime/index.ts'],
  ['src/trace/format/records.ts', './../../services/runtime/index.ts'],
  ['src/trace/exports/csv.ts', 'microdiff'],
  ['src/trace/index.ts', '../public/index.ts'],
  ['src/machines/session/session.ts', 'rxjs'],
  ['src/machines/session/session.ts', 'react'],
  ['src/machines/session/session.ts', 'xstate-extras'],
  ['src/machines/session/session.ts', '@supabase/supabase-js'],
  ['src/machines/session/session.ts', '../../trace/index.ts'],
  ['src/machines/session/session.ts', '../../services/runtime/index.ts'],
  ['src/machines/session/session.ts', './../../services/runtime/index.ts'],
  ['src/machines/session/session.ts', '../../public/index.ts'],
  ['src/services/runtime/clock.ts', '@supabase/supabase-js'],
  ['src/services/runtime/clock.ts', '@supabase/auth-js'],
  ['src/services/runtime/clock.ts', 'react'],
  ['src/services/runtime/clock.ts', '@statelyai/inspect'],
  ['src/services/runtime/clock.ts', '../../ui/react/index.ts'],
  ['src/services/runtime/clock.ts', '../../cli/main.ts'],
  ['src/services/runtime/clock.ts', '../../public/index.ts'],
  ['src/services/runtime/clock.ts', '../../../backend/index.ts'],
  ['src/services/runtime/clock.ts', '../client/index.ts'],
  ['src/services/runtime/clock.ts', '../../machines/session/session.ts'],
  ['src/services/recording/record.ts', '@supabase/supabase-js'],
  ['src/services/recording/record.ts', 'react'],
  ['src/services/recording/record.ts', 'node:fs'],
  ['src/services/recording/record.ts', '../client/index.ts'],
  ['src/services/recording/record.ts', '../replay/index.ts'],
  ['src/services/recording/record.ts', '../runtime/clock.ts'],
  ['src/services/recording/record.ts', '../../public/index.ts'],
  ['src/services/client/client-core.ts', '@supabase/supabase-js'],
  ['src/services/client/client-core.ts', '../control/index.ts'],
  ['src/services/client/client-core.ts', '../workbench/hosts/index.ts'],
  ['src/services/client/client-core.ts', '../../machines/client.ts'],
  ['src/services/client/auth/supabase-auth.ts', '../../../ui/react/index.ts'],
  ['src/services/client/auth/supabase-auth.ts', 'react'],
  ['src/services/client/auth/supabase-auth-facade.ts', '@supabase/auth-js'],
  ['src/services/client/auth/supabase-auth.ts', '@supabase/supabase-js'],
  ['src/services/client/official/lazy-storage.ts', '@supabase/storage-js'],
  ['src/services/client/official/lazy-functions.ts', '@supabase/functions-js'],
  ['src/services/client/supabase-client.ts', '@supabase/storage-js'],
  ['src/services/replay/verify/verify.ts', '../../control/index.ts'],
  ['src/services/control/control.ts', '../client/index.ts'],
  ['src/services/control/control.ts', '@statelyai/inspect'],
  ['src/services/workbench/table/schema.ts', 'react'],
  ['src/services/workbench/table/schema.ts', '../../../ui/widgets/cx.ts'],
  ['src/services/workbench/table/schema.ts', '../../client/client-types.ts'],
  ['src/public/index.ts', '../ui/app/main.tsx'],
  ['src/public/index.ts', '../cli/main.ts'],
  ['src/public/index.ts', '../../backend/index.ts'],
  ['src/public/index.ts', '../services/client/create-client.ts'],
  ['src/public/index.ts', 'react'],
  ['src/public/devtools/replay.ts', 'xstate'],
  ['src/public/devtools/replay.ts', 'vitest'],
  ['src/testing/matchers.ts', '../services/runtime/clock.ts'],
  ['src/testing/matchers.ts', '../cli/replay.ts'],
  ['src/testing/fixture.ts', '../../tests/harness/lamp.ts'],
  ['src/public/devtools/vitest.ts', '../../cli/main.ts'],
  ['src/public/devtools/vitest.ts', 'react'],
  ['src/ui/react/client.ts', '../app/app.tsx'],
  ['src/ui/react/client.ts', '../../services/runtime/index.ts'],
  ['src/ui/react/client.ts', '../../services/client/create-client.ts'],
  ['src/ui/app/app.tsx', '../../services/client/create-client.ts'],
  ['src/ui/app/app.tsx', '../../services/workbench/table/schema.ts'],
  ['src/ui/app/app.tsx', '../../machines/session/session.ts'],
  ['src/ui/app/app.tsx', '../../cli/main.ts'],
  ['src/ui/app/app.tsx', '../../../backend/index.ts'],
  ['src/ui/app/app.tsx', '../console/console.tsx'],
  ['src/ui/app/app.tsx', '@supabase/supabase-js'],
  ['src/ui/app/app.tsx', 'xstate'],
  ['src/ui/main.tsx', '../services/client/index.ts'],
  ['src/ui/main.tsx', '../../backend/index.ts'],
  ['src/ui/console/console.tsx', '../app/app.tsx'],
  ['src/ui/console/log/row.tsx', '../../app/app.tsx'],
  ['src/ui/console/console.tsx', '../../services/client/index.ts'],
  ['src/ui/console/console.tsx', '../../services/recording/record.ts'],
  ['src/ui/widgets/button.tsx', '../app/app.tsx'],
  ['src/ui/widgets/button.tsx', '../console/index.ts'],
  ['src/cli/main.ts', '../services/replay/index.ts'],
  ['src/cli/main.ts', '../machines/index.ts'],
  ['src/cli/main.ts', '../ui/react/index.ts'],
  ['backend/index.ts', '../src/trace/index.ts'],
  ['backend/auth/x.ts', '../../src/public/index.ts'],
  ['backend/index.ts', '../scripts/harbour.ts'],
  ['backend/index.ts', '@supabase/supabase-js'],
  ['backend/index.ts', 'react'],
  ['backend/index.ts', './auth/settings.ts'],
  ['backend/auth/index.ts', '../index.ts'],
  ['backend/auth/index.ts', '../storage/index.ts'],
  ['backend/auth/accounts/users.ts', '../../database/engine.ts'],
  ['backend/database/index.ts', '../rest/index.ts'],
  ['backend/shared/clock.ts', '../keys/index.ts'],
  ['backend/realtime/hub.ts', 'xstate'],
  ['src/cli/backend.ts', '../../backend/gateway/origins.ts'],
]

const allowedImports: readonly (readonly [from: string, to: string])[] = [
  ['src/trace/read/read-file.ts', '../format/records.ts'],
  ['src/trace/read/read-file.ts', './collect.ts'],
  ['src/trace/exports/csv.ts', '../format/records.ts'],
  ['src/trace/index.ts', './exports/csv.ts'],
  ['src/machines/session/session.ts', 'xstate'],
  ['src/machines/session/session.ts', './setup.ts'],
  ['src/machines/session/session.ts', '../ports.ts'],
  ['src/services/runtime/actors.ts', 'xstate'],
  ['src/services/runtime/actors.ts', 'rxjs'],
  ['src/services/runtime/actors.ts', './clock.ts'],
  ['src/services/runtime/actors.ts', '../../machines/index.ts'],
  ['src/services/runtime/actors.ts', '../../trace/index.ts'],
  ['src/services/recording/record.ts', './trace-log.ts'],
  ['src/services/recording/record.ts', '../runtime/index.ts'],
  ['src/services/recording/record.ts', '../../trace/index.ts'],
  ['src/services/recording/record.ts', '../../trace/write/encode.ts'],
  ['src/services/recording/record.ts', 'xstate'],
  ['src/services/recording/store/file-store.ts', 'node:fs/promises'],
  ['src/services/recording/store/idb-storage.ts', 'idb'],
  ['src/services/client/auth/supabase-auth-facade.ts', '@supabase/supabase-js'],
  ['src/services/client/official/supabase-official.ts', '@supabase/supabase-js'],
  ['src/services/client/supabase-client.ts', '@supabase/postgrest-js'],
  ['src/services/client/realtime/supabase-socket.ts', '@supabase/realtime-js'],
  ['src/services/client/auth/supabase-auth.ts', '../../../machines/ports.ts'],
  ['src/services/client/uploads/send-parts.ts', 'tus-js-client'],
  ['src/services/client/client-core.ts', '../recording/index.ts'],
  ['src/services/control/stately/stately-bridge.ts', '@statelyai/inspect'],
  ['src/services/workbench/table/schema.ts', '../rest/rest.ts'],
  ['src/services/workbench/table/schema.ts', '../../client/index.ts'],
  ['src/services/workbench/table/schema.ts', 'valibot'],
  ['src/public/index.ts', '../services/client/index.ts'],
  ['src/public/index.ts', '../trace/index.ts'],
  ['src/public/react.ts', '../ui/react/index.ts'],
  ['src/ui/react/client.ts', 'react'],
  ['src/ui/react/client.ts', '../../services/client/index.ts'],
  ['src/ui/app/app.tsx', '../../services/client/index.ts'],
  ['src/ui/app/app.tsx', '../../services/workbench/table/index.ts'],
  ['src/ui/app/app.tsx', '../react/index.ts'],
  ['src/ui/app/app.tsx', '../../trace/index.ts'],
  ['src/ui/app/app.tsx', '../console/index.ts'],
  ['src/ui/app/app.tsx', '../widgets/button.tsx'],
  ['src/ui/app/app.tsx', 'react-aria-components'],
  ['src/ui/console/console.tsx', '../widgets/button.tsx'],
  ['src/ui/console/console.tsx', '../../trace/index.ts'],
  ['src/testing/matchers.ts', '../services/replay/index.ts'],
  ['src/testing/fixture.ts', 'vitest'],
  ['src/public/devtools/vitest.ts', '../testing/matchers.ts'],
  ['src/public/devtools/vitest.ts', '../services/replay/index.ts'],
  ['src/public/devtools/vitest.ts', 'vitest'],
  ['src/cli/main.ts', '../public/devtools/replay.ts'],
  ['src/cli/main.ts', '../../backend/index.ts'],
  ['src/cli/main.ts', 'node:fs'],
  ['backend/auth/accounts/users.ts', '../../database/index.ts'],
  ['backend/auth/accounts/users.ts', '../../shared/clock.ts'],
  ['backend/vite-plugin.ts', './gateway/tool-guard.ts'],
  ['backend/index.ts', '@electric-sql/pglite'],
  ['backend/index.ts', 'node:http'],
]

/** The forms of an import; a rule has to catch them all. */
const forms: Readonly<Record<string, (to: string, name: string) => string>> = {
  import: (to, name) => `import { x as ${name} } from '${to}'; export const u${name} = ${name}`,
  'type import': (to, name) => `import type { X as ${name} } from '${to}'; export type T${name} = ${name}`,
  're-export': (to, name) => `export { x as ${name} } from '${to}'`,
  'dynamic import': (to, name) => `export const ${name} = () => import('${to}')`,
}

const importLines = (cases: readonly (readonly [from: string, to: string])[]) =>
  cases.flatMap(([path, to], index) =>
    Object.entries(forms).map(([form, write], nth) => ({
      title: `${path} · ${form} of ${to}`,
      line: { path, code: write(to, `name${index}x${nth}`) },
    })),
  )

const forbiddenCode: readonly (readonly [path: string, code: string, rule: string])[] = [
  ...['src/machines', 'src/trace'].flatMap(folder =>
    [
      ['fetch("/")', GLOBALS],
      ['setTimeout(work, 1)', GLOBALS],
      ['setInterval(work, 1)', GLOBALS],
      ['queueMicrotask(work)', GLOBALS],
      ['globalThis.fetch("/")', GLOBALS],
      ['performance.now()', GLOBALS],
      ['crypto.randomUUID()', GLOBALS],
      ['localStorage.length', GLOBALS],
      ['sessionStorage.length', GLOBALS],
      ['window.origin', GLOBALS],
      ['document.title', GLOBALS],
      ['new WebSocket("ws://x")', GLOBALS],
      ['Date.now()', PROPERTIES],
      ['Math.random()', PROPERTIES],
      ['new Date()', DATE],
      ['Date()', DATE],
    ].map(([code, rule]) => [`${folder}/x.ts`, code, rule] as [string, string, string]),
  ),
  ['src/public/index.ts', 'fetch("/")', GLOBALS],
  ['src/ui/app/x.tsx', 'fetch("/")', GLOBALS],
  ['src/ui/app/x.tsx', 'window.fetch("/")', GLOBALS],
  ['src/ui/app/x.tsx', 'localStorage.length', GLOBALS],
  ['src/ui/app/x.tsx', 'window.localStorage.length', GLOBALS],
  ['src/ui/console/stored-layout.ts', 'fetch("/")', GLOBALS],
  ['src/ui/app/x.tsx', 'new WebSocket("ws://x")', GLOBALS],
  ['src/services/workbench/table/x.ts', 'fetch("/")', GLOBALS],
  ['src/services/workbench/auth/x.ts', 'Date.now()', PROPERTIES],
  ['src/services/workbench/rest/x.ts', 'new Date()', DATE],
  ['src/services/workbench/storage/x.ts', 'fetch("/")', GLOBALS],
  ['src/ui/console/x.tsx', 'Date.now()', PROPERTIES],
  ['src/ui/console/x.tsx', 'performance.now()', PROPERTIES],
  ['src/ui/console/x.tsx', 'Math.random()', PROPERTIES],
  ['src/ui/console/x.tsx', 'new Date()', DATE],
  ['tests/x.test.ts', 'new Promise(resolve => setTimeout(resolve, 300))', SLEEP],
  ['tests/x.test.ts', 'new Promise(resolve => void setTimeout(resolve, MS))', SLEEP],
  ['tests/harness/x.ts', 'new Promise<void>(resolve => { setTimeout(resolve, 20) })', SLEEP],
  ['tests/x.test.ts', 'page.waitForTimeout(5)', SLEEP],
  ['tests/x.test.ts', 'import { setTimeout as wait } from "node:timers/promises"', SLEEP],
]

const allowedCode: readonly (readonly [path: string, code: string])[] = [
  ['src/trace/x.ts', 'new Date(0)'],
  ['src/machines/x.ts', 'Math.max(1, 2)'],
  ['src/ui/console/stored-layout.ts', 'localStorage.length'],
  ['src/ui/app/x.tsx', 'document.title'],
  ['src/ui/app/x.tsx', 'new Date(0)'],
  ['src/services/x.ts', 'Date.now()'],
  ['src/services/workbench/storage/x.ts', 'localStorage.length'],
  ['src/services/workbench/jobs/x.ts', 'Date.now()'],
  ['src/services/x.ts', 'fetch("/")'],
  ['backend/x.ts', 'Math.random()'],
  ['scripts/x.ts', 'setTimeout(work, 1)'],
  ['scripts/x.ts', 'new Promise(resolve => setTimeout(resolve, 300))'],
  ['tests/x.test.ts', 'new Promise(resolve => setTimeout(resolve, 5))'],
  ['tests/x.test.ts', 'new Promise(resolve => setTimeout(resolve))'],
  ['tests/x.test.ts', 'setTimeout(work, 900)'],
  ['tests/x.test.ts', 'new Promise(resolve => setTimeout(() => resolve(read()), 300))'],
]

const codeLine = (path: string, code: string) => ({ title: `${path} · ${code}`, line: { path, code } })

const forbidden = importLines(forbiddenImports)
const allowed = importLines(allowedImports)
const forbiddenUse = forbiddenCode.map(([path, code, rule]) => ({ ...codeLine(path, code), rule }))
const allowedUse = allowedCode.map(([path, code]) => codeLine(path, code))
const supabaseTypes = importLines([['src/services/client/client-types.ts', '@supabase/supabase-js']])
const inlineType = {
  path: 'src/ui/app/main.tsx',
  code: "export type Inline = import('../../services/runtime/clock.ts').Clock",
}

const groups = [forbidden, allowed, forbiddenUse, allowedUse, supabaseTypes].flat()
const broken = await lintLines([...groups.map(each => each.line), inlineType])
const boundaries = new Set([IMPORTS, GLOBALS, PROPERTIES, DATE, SLEEP])
const brokenBy = (line: Line) => [...(broken.get(line)?.keys() ?? [])].filter(rule => boundaries.has(rule))

const titled = <T extends { title: string }>(cases: readonly T[]) =>
  cases.map(each => [each.title, each] as const)

describe('forbidden imports', () => {
  test.each(titled(forbidden))('%s', (_, { line }) => expect(brokenBy(line)).toEqual([IMPORTS]))

  test('a type named by import() inside a type', () => {
    expect([...(broken.get(inlineType)?.keys() ?? [])]).toContain('typescript(consistent-type-imports)')
  })
})

describe('allowed imports', () => {
  test.each(titled(allowed))('%s', (_, { line }) => expect(brokenBy(line)).toEqual([]))

  test('client-types.ts imports only types from supabase-js', () => {
    const rules = Object.fromEntries(
      Object.keys(forms).map((form, index) => [form, brokenBy(supabaseTypes[index]?.line as Line)]),
    )
    expect(rules).toEqual({
      import: [IMPORTS],
      'type import': [],
      're-export': [IMPORTS],
      'dynamic import': [IMPORTS],
    })
  })
})

test('no packages import each other, directly or through others', () => {
  const reached = (name: string, path: readonly string[]): string[] =>
    path.includes(name)
      ? [[...path, name].join(' > ')]
      : (packages[name]?.uses ?? []).flatMap(next => reached(next, [...path, name]))
  expect(Object.keys(packages).flatMap(name => reached(name, []))).toEqual([])
})

describe('banned globals', () => {
  test.each(titled(forbiddenUse))('%s', (_, { line, rule }) => expect(brokenBy(line)).toEqual([rule]))
})

describe('allowed globals', () => {
  test.each(titled(allowedUse))('%s', (_, { line }) => expect(brokenBy(line)).toEqual([]))
})
