// The import rules and banned globals of the design, each proved by code that breaks it and code that passes.
import { describe, expect, test } from 'vitest'
import { lintLines, type Line } from './lint-tree.ts'

const IMPORTS = 'eslint(no-restricted-imports)'
const GLOBALS = 'eslint(no-restricted-globals)'
const PROPERTIES = 'eslint(no-restricted-properties)'
const DATE = 'chartroom(no-current-date)'

/** From a file, to a specifier: imports forbidden in every layer. */
const forbiddenImports: readonly (readonly [from: string, to: string])[] = [
  ['src/trace/format/format.ts', 'xstate'],
  ['src/trace/format/format.ts', 'node:fs'],
  ['src/trace/format/format.ts', '../machines/session.ts'],
  ['src/trace/format/format.ts', '../services/clock.ts'],
  ['src/trace/format/format.ts', './../services/clock.ts'],
  ['src/trace/exports/csv.ts', 'microdiff'],
  ['src/trace/exports/csv.ts', '../../services/clock.ts'],
  ['src/trace/exports/csv.ts', '../../index.ts'],
  ['src/machines/session/session.ts', 'rxjs'],
  ['src/machines/session/session.ts', 'react'],
  ['src/machines/session/session.ts', 'xstate-extras'],
  ['src/machines/session/session.ts', '@supabase/supabase-js'],
  ['src/machines/session/session.ts', '../trace/format.ts'],
  ['src/machines/session/session.ts', '../services/clock.ts'],
  ['src/machines/session/session.ts', './../services/clock.ts'],
  ['src/machines/session/session.ts', '../index.ts'],
  ['src/services/runtime/clock.ts', '@supabase/supabase-js'],
  ['src/services/runtime/clock.ts', '@supabase/auth-js'],
  ['src/services/runtime/clock.ts', 'react'],
  ['src/services/runtime/clock.ts', '@statelyai/inspect'],
  ['src/services/runtime/clock.ts', '../ui/react.ts'],
  ['src/services/runtime/clock.ts', '../cli/main.ts'],
  ['src/services/runtime/clock.ts', '../index.ts'],
  ['src/services/runtime/clock.ts', '../../backend/index.ts'],
  ['src/services/recording/recorder.ts', '@supabase/supabase-js'],
  ['src/services/recording/recorder.ts', 'react'],
  ['src/services/recording/recorder.ts', '../../index.ts'],
  ['src/services/recording/recorder.ts', '../../ui/react.ts'],
  ['src/services/client/auth/supabase-auth.ts', '../../ui/react.ts'],
  ['src/services/client/auth/supabase-auth.ts', 'react'],
  ['src/public/index.ts', './ui/app/main.tsx'],
  ['src/public/index.ts', './cli/main.ts'],
  ['src/public/index.ts', '../backend/index.ts'],
  ['src/public/index.ts', 'react'],
  ['src/public/replay.ts', 'xstate'],
  ['src/testing/matchers.ts', '../services/clock.ts'],
  ['src/testing/matchers.ts', '../cli/replay.ts'],
  ['src/testing/fixture.ts', '../../tests/harness/lamp.ts'],
  ['src/public/vitest.ts', './cli/main.ts'],
  ['src/public/vitest.ts', 'react'],
  ['src/public/react.ts', './app/main.tsx'],
  ['src/ui/react/client.ts', '../../services/clock.ts'],
  ['src/public/react.ts', '../cli/main.ts'],
  ['src/ui/app/main.tsx', '../../services/create-client.ts'],
  ['src/ui/app/main.tsx', '../../machines/session.ts'],
  ['src/ui/app/main.tsx', '../../cli/main.ts'],
  ['src/ui/app/main.tsx', '../../../backend/index.ts'],
  ['src/ui/app/main.tsx', '@supabase/supabase-js'],
  ['src/ui/app/main.tsx', 'xstate'],
  ['src/ui/console/console.tsx', '../app/main.tsx'],
  ['src/ui/console/log/row.tsx', '../../app/main.tsx'],
  ['src/ui/console/console.tsx', '../../services/recording/recorder.ts'],
  ['src/ui/widgets/button.tsx', '../app/main.tsx'],
  ['src/ui/widgets/button.tsx', '../console/console.tsx'],
  ['src/cli/main.ts', '../services/replay/verify.ts'],
  ['src/cli/main.ts', '../machines/session.ts'],
  ['src/cli/main.ts', '../ui/react.ts'],
  ['backend/index.ts', '../src/trace/format.ts'],
  ['backend/auth/token.ts', '../../src/public/index.ts'],
  ['backend/index.ts', '../scripts/site.ts'],
  ['backend/index.ts', '@supabase/supabase-js'],
  ['backend/index.ts', 'react'],
]

const allowedImports: readonly (readonly [from: string, to: string])[] = [
  ['src/trace/read/decode.ts', './format.ts'],
  ['src/trace/read/decode.ts', './exports/csv.ts'],
  ['src/trace/exports/csv.ts', '../format.ts'],
  ['src/trace/exports/csv.ts', './cells.ts'],
  ['src/machines/session/session.ts', 'xstate'],
  ['src/machines/session/session.ts', './expiry.ts'],
  ['src/services/actors.ts', 'xstate'],
  ['src/services/actors.ts', 'rxjs'],
  ['src/services/actors.ts', './clock.ts'],
  ['src/services/actors.ts', '../machines/session.ts'],
  ['src/services/actors.ts', '../trace/format.ts'],
  ['src/services/recording/recorder.ts', './trace-log.ts'],
  ['src/services/recording/recorder.ts', '../clock.ts'],
  ['src/services/recording/recorder.ts', '../../machines/client.ts'],
  ['src/services/recording/recorder.ts', '../../trace/format.ts'],
  ['src/services/recording/recorder.ts', 'xstate'],
  ['src/services/client/auth/supabase-auth.ts', '@supabase/auth-js'],
  ['src/services/client/auth/supabase-auth.ts', '../../machines/ports.ts'],
  ['src/services/control/stately/stately-bridge.ts', '@statelyai/inspect'],
  ['src/public/index.ts', './services/create-client.ts'],
  ['src/public/index.ts', './trace/format.ts'],
  ['src/public/react.ts', '../services/create-client.ts'],
  ['src/public/react.ts', 'react'],
  ['src/public/react.ts', './react/client.ts'],
  ['src/ui/react/client.ts', '../../index.ts'],
  ['src/ui/app/main.tsx', '../../index.ts'],
  ['src/ui/app/main.tsx', '../react.ts'],
  ['src/ui/app/main.tsx', '../../trace/format.ts'],
  ['src/ui/app/main.tsx', '../console/console.tsx'],
  ['src/ui/app/main.tsx', '../widgets/button.tsx'],
  ['src/ui/app/main.tsx', 'react-aria-components'],
  ['src/ui/console/console.tsx', '../widgets/button.tsx'],
  ['src/ui/console/console.tsx', '../../trace/model.ts'],
  ['src/testing/matchers.ts', '../replay.ts'],
  ['src/testing/fixture.ts', 'vitest'],
  ['src/public/vitest.ts', './testing/matchers.ts'],
  ['src/public/vitest.ts', './services/replay/stage.ts'],
  ['src/public/vitest.ts', 'vitest'],
  ['src/cli/main.ts', '../replay.ts'],
  ['src/cli/main.ts', '../../backend/index.ts'],
  ['src/cli/main.ts', 'node:fs'],
  ['backend/auth/token.ts', '../database.ts'],
  ['backend/index.ts', '@supabase/lite'],
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
  ['src/services/workbench/storage/local-store.ts', 'fetch("/")', GLOBALS],
  ['src/ui/app/x.tsx', 'new WebSocket("ws://x")', GLOBALS],
  ['src/ui/console/x.tsx', 'Date.now()', PROPERTIES],
  ['src/ui/console/x.tsx', 'performance.now()', PROPERTIES],
  ['src/ui/console/x.tsx', 'Math.random()', PROPERTIES],
  ['src/ui/console/x.tsx', 'new Date()', DATE],
]

const allowedCode: readonly (readonly [path: string, code: string])[] = [
  ['src/trace/x.ts', 'new Date(0)'],
  ['src/machines/x.ts', 'Math.max(1, 2)'],
  ['src/services/workbench/storage/local-store.ts', 'localStorage.length'],
  ['src/ui/app/x.tsx', 'document.title'],
  ['src/ui/app/x.tsx', 'new Date(0)'],
  ['src/services/x.ts', 'Date.now()'],
  ['src/services/x.ts', 'fetch("/")'],
  ['backend/x.ts', 'Math.random()'],
  ['scripts/x.ts', 'setTimeout(work, 1)'],
]

const codeLine = (path: string, code: string) => ({ title: `${path} · ${code}`, line: { path, code } })

const forbidden = importLines(forbiddenImports)
const allowed = importLines(allowedImports)
const forbiddenUse = forbiddenCode.map(([path, code, rule]) => ({ ...codeLine(path, code), rule }))
const allowedUse = allowedCode.map(([path, code]) => codeLine(path, code))
const supabaseTypes = importLines([['src/services/client/client-types.ts', '@supabase/supabase-js']])
const inlineType = {
  path: 'src/ui/app/main.tsx',
  code: "export type Inline = import('../../services/clock.ts').Clock",
}

const groups = [forbidden, allowed, forbiddenUse, allowedUse, supabaseTypes].flat()
const broken = await lintLines([...groups.map(each => each.line), inlineType])
const boundaries = new Set([IMPORTS, GLOBALS, PROPERTIES, DATE])
const brokenBy = (line: Line) => [...(broken.get(line) ?? [])].filter(rule => boundaries.has(rule))

const titled = <T extends { title: string }>(cases: readonly T[]) =>
  cases.map(each => [each.title, each] as const)

describe('forbidden imports', () => {
  test.each(titled(forbidden))('%s', (_, { line }) => expect(brokenBy(line)).toEqual([IMPORTS]))

  test('a type named by import() inside a type', () => {
    expect(broken.get(inlineType)).toContain('typescript(consistent-type-imports)')
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

describe('banned globals', () => {
  test.each(titled(forbiddenUse))('%s', (_, { line, rule }) => expect(brokenBy(line)).toEqual([rule]))
})

describe('allowed globals', () => {
  test.each(titled(allowedUse))('%s', (_, { line }) => expect(brokenBy(line)).toEqual([]))
})
