// Lint rules, and which package may import what: one table, from which both import rules are made.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'oxlint'
import type { Packages } from './scripts/lint-plugin.ts'
import remaining from './tests/lint/inner-imports.json' with { type: 'json' }

/** Libraries that run in Node or speak to a backend. */
const SERVER = ['@supabase/', 'hono', '@hono/', 'ws', 'postgres', 'jose', 'pg-gateway']
const REACT = ['react', 'react-dom', '@xstate/react']

const CORE = ['src/machines', 'src/trace']
const RUNTIME = [...CORE, 'src/services/runtime']
const SYSTEM = ['xstate', 'rxjs']

const CLIENT = ['@supabase/supabase-js', ...SYSTEM]

/** A folder of the backend: it uses `shared` and some of the others. */
const part = (name: string, uses: readonly string[] = [], doors: readonly string[] = []): Packages => ({
  [`backend/${name}`]: {
    uses: ['shared', ...uses].map(other => `backend/${other}`),
    without: [...CLIENT, ...REACT],
    doors,
  },
})

const backendParts: Packages = {
  'backend/shared': { without: [...CLIENT, ...REACT], doors: ['**'] },
  ...part('keys'),
  ...part('inbox'),
  ...part('functions', ['keys']),
  // What other threads do while the rest of the backend loads.
  ...part('database', ['keys'], ['pglite/binaries.ts']),
  ...part('transfer', ['database']),
  // The protocol itself is loaded only if the database URL is on.
  ...part('wire', ['database'], ['password.ts']),
  ...part('auth', ['keys', 'inbox', 'database']),
  ...part('storage', ['keys', 'database']),
  ...part('workers', ['database']),
  ...part('realtime', ['keys', 'database']),
  ...part('rest', ['keys', 'database']),
  ...part('faults', ['keys', 'database', 'auth', 'storage']),
  ...part('gateway', ['keys', 'faults', 'functions', 'realtime'], ['tool-guard.ts']),
  ...part('project', ['database', 'auth', 'storage', 'realtime', 'functions'], ['statements.ts']),
  ...part('sql', ['keys', 'database', 'project']),
  ...part('demo', ['database', 'auth', 'storage', 'realtime', 'functions']),
}

/** What each package may import; its fields are explained in the plugin. */
export const packages: Packages = {
  // Plain data and pure functions.
  'src/trace': { libraries: [], doors: ['read/read-file.ts', 'write/encode.ts'] },
  'src/machines': { libraries: ['xstate'], doors: ['ports.ts', 'specs.ts', '{console,workbench}/*.ts'] },
  'src/services/runtime': { uses: CORE, libraries: SYSTEM },
  'src/services/recording': {
    uses: RUNTIME,
    libraries: SYSTEM,
    // Node's file store would fail in a browser that evaluates the index.
    doors: ['watch-invariants.ts', 'encode-gently.ts', 'store/browser-store.ts', 'store/file-sto*.ts'],
    files: { 'store/idb-storage.ts': ['idb'], 'store/file-*.ts': ['node:'] },
  },
  'src/services/client': {
    uses: [...RUNTIME, 'src/services/recording'],
    libraries: SYSTEM,
    doors: ['record-everything.ts', 'option-rules.ts'],
    files: {
      // The app's own copy, whose error classes it imports. Only modules that load later import it.
      '{auth/supabase-{account,auth-facade},official/supabase-*}.ts': ['@supabase/supabase-js'],
      // The parts that work without being awaited: supabase-js would load the others, too.
      'supabase-client.ts': ['@supabase/postgrest-js', 'type:@supabase/supabase-js'],
      'official/official-errors.ts': ['type:@supabase/postgrest-js'],
      'realtime/supabase-*.ts': ['@supabase/realtime-js'],
      '{client-types,create-client,options,auth/auth-events,official/{lazy-*,official-calls}}.ts': [
        'type:@supabase/supabase-js',
      ],
      'uploads/send-parts.ts': ['tus-js-client'],
    },
  },
  'src/services/reports': {
    uses: [...RUNTIME, 'src/services/client', 'src/services/replay'],
    libraries: SYSTEM,
    // Only programs and the console judge reports; an app does not load the replay.
    doors: ['{causes,judge,rows,tables,words}.ts'],
    files: { 'idb-outbox.ts': ['idb'], 'rows.ts': ['valibot'] },
  },
  // TanStack DB is a peer: only its types, and the engine that restores stored writes.
  'src/services/db': {
    uses: [...RUNTIME, 'src/services/client'],
    libraries: SYSTEM,
    files: {
      '*.ts': ['type:@tanstack/db'],
      'shown-writes.ts': ['@tanstack/offline-transactions'],
      'idb-write-storage.ts': ['idb'],
    },
  },
  'src/services/query': {
    uses: ['src/services/client', 'src/services/runtime'],
    libraries: [],
    files: { 'request-options.ts': ['type:@tanstack/query-core'] },
  },
  // Its requests are sent by others: the workbench's clients, or the command line.
  'src/services/access': { uses: ['src/trace'], libraries: ['valibot'] },
  'src/services/ssr': {
    uses: ['src/services/runtime', 'src/services/client'],
    libraries: ['@supabase/ssr'],
    // Apps without @supabase/ssr import this file.
    doors: ['chartroom-of.ts'],
    files: { '{*-client,chartroom-of}.ts': ['type:@supabase/supabase-js'] },
  },
  'src/services/replay': { uses: [...RUNTIME, 'src/services/recording'], libraries: SYSTEM },
  'src/services/control': {
    uses: [...RUNTIME, 'src/services/recording', 'src/services/replay'],
    libraries: SYSTEM,
    // A page loads it when a module is saved.
    doors: ['edit-replay/edit-replay.ts'],
    files: { 'stately/stately-bridge.ts': ['@statelyai/inspect'] },
  },
  'src/services/workbench': {
    uses: [
      ...RUNTIME,
      'src/services/access',
      'src/services/client',
      'src/services/control',
      'src/services/recording',
      'src/services/reports',
    ],
    without: [...SERVER, ...REACT, 'node:'],
    doors: ['*/index.ts', 'accounts/qr-path.ts'],
  },
  'src/ui': { uses: ['src/ui/app', 'src/ui/widgets'], libraries: ['react', 'react-dom'] },
  'src/ui/widgets': { uses: ['src/machines'], without: [...SERVER, ...SYSTEM, 'node:'], doors: ['**'] },
  'src/ui/vue': { uses: ['src/services/client'], libraries: ['vue'] },
  'src/ui/svelte': { uses: ['src/services/client'], libraries: ['svelte'] },
  'src/ui/react': {
    uses: ['src/services/client', 'src/services/query', 'src/trace'],
    libraries: ['react'],
  },
  'src/ui/devtools-react': {
    uses: ['src/services/recording', 'src/services/reports'],
    libraries: ['react', '@xstate/react'],
    doors: ['recorded.tsx', 'report-button.tsx'],
    files: { '{recorded,report-button}.tsx': ['type:xstate'] },
  },
  'src/ui/console': {
    uses: [
      ...RUNTIME,
      'src/services/recording',
      'src/services/replay',
      'src/services/control',
      'src/services/reports',
      'src/services/workbench',
      'src/ui/widgets',
    ],
    without: [...SERVER, ...SYSTEM, 'node:'],
    // The page of reports runs its checks without loading the console.
    doors: [
      'attach/{chartroom-console,dock,own-window,window-page}.tsx',
      'attach/{foreign-recording,link,systems,tab-messages,tab-protocol}.ts',
      'model/location.ts',
      'source/editor-access.ts',
      'edits/edits.ts',
      'checks/job-runner.ts',
    ],
  },
  'src/ui/app': {
    uses: [
      ...RUNTIME,
      'src/services/access',
      'src/services/client',
      'src/services/control',
      'src/services/recording',
      'src/services/workbench',
      'src/ui/console',
      'src/ui/react',
      'src/ui/widgets',
    ],
    without: [...SERVER, ...SYSTEM, 'node:'],
    doors: ['app.tsx'],
  },
  // The transform runs in Node. Its index does not load the parser.
  'src/sources': {
    uses: ['src/trace'],
    libraries: [],
    files: {
      '{project-root,source-plugin,note-hooks}.ts': ['node:', 'type:vite'],
      '{note-sources,find-calls,place-tree}.ts': ['oxc-parser', 'oxc-walker', 'magic-string'],
    },
  },
  // The plugin runs in Node; what pages load of it is in `page`.
  'src/vite': {
    uses: [...RUNTIME, 'src/services/recording', 'src/services/control', 'src/sources', 'src/ui/console'],
    libraries: [],
    // Both ends of the link with agents, which the test of `chartroom mcp` joins.
    doors: ['agent-server.ts', 'page/agent-page.ts'],
    files: { '{plugin,agent-server,hot-edits}.ts': ['node:', 'type:vite'], 'page/*.ts': ['type:xstate'] },
  },
  // The plugin runs in Node; what pages load of it is text.
  'src/vite-alias': { libraries: [], files: { 'plugin.ts': ['node:', 'type:vite'] } },
  // The panel of the browser's developer tools, and the script that it runs in the inspected page.
  'src/extension': {
    uses: ['src/ui/console', 'src/ui/widgets'],
    libraries: ['react', 'react-dom', 'react-aria-components'],
  },
  'src/testing': {
    uses: [...RUNTIME, 'src/services/recording', 'src/services/replay', 'src/services/workbench'],
    without: [...SERVER, ...REACT, 'rxjs'],
    doors: ['**'],
  },
  'src/public': {
    uses: [
      ...RUNTIME,
      'src/services/client',
      'src/services/control',
      'src/services/db',
      'src/services/query',
      'src/services/recording',
      'src/services/replay',
      'src/services/reports',
      'src/services/ssr',
      'src/services/workbench',
      'src/sources',
      'src/testing',
      'src/ui/console',
      'src/ui/devtools-react',
      'src/ui/react',
      'src/ui/svelte',
      'src/ui/vue',
      'src/vite',
      'src/vite-alias',
    ],
    libraries: [],
    doors: ['**'],
    files: { 'devtools/vitest.ts': ['vitest'], 'devtools/playwright.ts': ['@playwright/test'] },
  },
  'src/cli': {
    // The rules for options, with which `migrate` finds those that are refused.
    uses: [
      'src/public',
      'src/trace',
      'src/services/access',
      'src/services/client',
      'src/services/reports',
      'src/sources',
      'src/testing',
      'backend',
      ...Object.keys(backendParts),
    ],
    without: ['@supabase/', 'xstate', 'rxjs', ...REACT],
    doors: ['**'],
  },
  backend: {
    uses: Object.keys(backendParts),
    without: [...CLIENT, ...REACT],
    doors: ['vite-plugin.ts'],
  },
  ...backendParts,
}

const STORAGE = [
  'EventSource',
  'WebSocket',
  'XMLHttpRequest',
  'fetch',
  'indexedDB',
  'localStorage',
  'sessionStorage',
]

/** Timers, time, random values, storage and the page. */
const AMBIENT = [
  ...STORAGE,
  'BroadcastChannel',
  'Worker',
  'cancelAnimationFrame',
  'clearInterval',
  'clearTimeout',
  'crypto',
  'document',
  'location',
  'navigator',
  'performance',
  'process',
  'queueMicrotask',
  'requestAnimationFrame',
  'requestIdleCallback',
  'setImmediate',
  'setInterval',
  'setTimeout',
  'window',
]

type Rule = ['error', { checkGlobalObject: boolean; globals: string[] }]
const without = (globals: readonly string[], ...allowed: readonly string[]): Rule => [
  'error',
  { checkGlobalObject: true, globals: globals.filter(name => !allowed.includes(name)) },
]

const NOW = { object: 'Date', property: 'now', message: 'Time is an input: take it from the clock.' }
const RANDOM = {
  object: 'Math',
  property: 'random',
  message: 'Random is an input: take it from the entropy.',
}
const PAGE_NOW = {
  object: 'performance',
  property: 'now',
  message: 'Time is an input: take it from the client.',
}
const UUID = { object: 'crypto', property: 'randomUUID', message: 'Random is an input.' }

export default defineConfig({
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'promise', 'react', 'jsx-a11y', 'vitest'],
  jsPlugins: [{ name: 'chartroom', specifier: './scripts/lint-plugin.ts' }],
  ignorePatterns: [
    'node_modules',
    'dist',
    'dist-extension',
    'dist-site',
    'dist-packages',
    'examples/*/{.next,.svelte-kit,build}',
    // Its tsconfig.json extends one that an installed SvelteKit writes.
    'examples/sveltekit',
    // Written as Supabase's documentation shows it, with the dependencies of each framework.
    'scripts/examples/apps',
    'test-results',
    '.chartroom',
    'evidence/site/.vitepress/.temp',
    // Types of packages that are not installed would be errors.
    ...(existsSync(join(import.meta.dirname, 'evidence/node_modules')) ? [] : ['evidence']),
  ],
  env: { builtin: true },
  categories: { correctness: 'error', suspicious: 'error' },
  rules: {
    eqeqeq: [
      'error',
      'always',
      {
        null: 'ignore',
      },
    ],
    'no-console': 'error',
    'no-empty-pattern': [
      'error',
      {
        allowObjectPatternsAsParameters: true,
      },
    ],
    'no-shadow': 'off',
    'no-underscore-dangle': 'off',
    'no-unmodified-loop-condition': 'off',
    'no-var': 'error',
    'import/no-cycle': 'error',
    'import/no-default-export': 'error',
    'import/no-named-as-default-member': 'off',
    'import/no-unassigned-import': 'off',
    'jsx-a11y/prefer-tag-over-role': 'off',
    'promise/always-return': 'off',
    'react/button-has-type': 'error',
    'react/exhaustive-deps': 'error',
    'react/exhaustive-effect-dependencies': 'off',
    'react/incompatible-library': 'off',
    'react/memo-dependencies': 'off',
    'react/no-danger': 'error',
    'react/preserve-manual-memoization': 'off',
    'react/react-in-jsx-scope': 'off',
    'react/rules-of-hooks': 'error',
    'typescript/ban-ts-comment': 'error',
    'typescript/consistent-return': 'off',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    // Such an import would stay in the built module, as one of its effects.
    'typescript/no-import-type-side-effects': 'error',
    'typescript/no-namespace': 'error',
    'typescript/no-unnecessary-type-assertion': 'off',
    'typescript/no-unsafe-argument': 'error',
    'typescript/no-unsafe-assignment': 'error',
    'typescript/no-unsafe-call': 'error',
    'typescript/no-unsafe-function-type': 'error',
    'typescript/no-unsafe-member-access': 'error',
    'typescript/no-unsafe-return': 'error',
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/only-throw-error': 'error',
    'typescript/prefer-promise-reject-errors': 'error',
    'typescript/return-await': 'error',
    'typescript/switch-exhaustiveness-check': [
      'error',
      {
        considerDefaultExhaustiveForUnions: true,
      },
    ],
    'typescript/unbound-method': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/no-array-reverse': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/prefer-node-protocol': 'error',
    'vitest/expect-expect': 'off',
    'vitest/no-standalone-expect': 'off',
  },
  overrides: [
    { files: ['src/**', 'backend/**'], rules: { 'chartroom/imports': ['error', packages] } },
    {
      files: ['tests/**/*.test.{ts,tsx}'],
      rules: { 'chartroom/test-imports': ['error', packages, remaining] },
    },
    {
      // A BroadcastChannel speaks to its own origin alone.
      files: [
        'src/services/client/tabs/tabs.ts',
        'tests/client/tabs.test.ts',
        'src/ui/console/attach/tab-protocol.ts',
        'tests/ui/console-strangers.test.ts',
      ],
      rules: { 'unicorn/require-post-message-target-origin': 'off' },
    },
    {
      // Says why it has to.
      files: ['src/extension/hook.ts'],
      rules: { 'no-extend-native': 'off' },
    },
    {
      // Says why it has none, and what holds instead.
      files: ['src/ui/app/document-frame.tsx'],
      rules: { 'react/iframe-missing-sandbox': 'off' },
    },
    {
      files: [
        'scripts/**',
        'evidence/**',
        'src/cli/**',
        'src/services/client/auth/storage-key-use.ts',
        'src/services/client/requests/trace-headers.ts',
        'src/services/recording/watch-invariants.ts',
        'src/vite/page/client.ts',
      ],
      rules: { 'no-console': 'off' },
    },
    {
      files: [
        '*.config.ts',
        'scripts/lint-plugin.ts',
        'backend/demo/functions/*.ts',
        'scripts/matrix/app/worker.ts',
        'evidence/site/.vitepress/{config,theme/index}.ts',
        'docs/api/*.paths.ts',
        'src/public/devtools/playwright-reporter.ts',
      ],
      rules: { 'import/no-default-export': 'off' },
    },
    {
      // Of the workbench's logic, `jobs` and `hosts` have the effects, and `storage` what is kept.
      files: [
        'src/ui/**',
        'src/services/workbench/{accounts,auth,files,functions,realtime,rest,systems,table,text}/**',
      ],
      rules: {
        'no-restricted-globals': without(STORAGE),
        'no-restricted-properties': ['error', NOW, RANDOM, PAGE_NOW, UUID],
        'chartroom/no-current-date': 'error',
      },
    },
    {
      files: ['src/services/workbench/storage/**'],
      rules: { 'no-restricted-globals': without(STORAGE, 'localStorage', 'sessionStorage') },
    },
    {
      files: ['src/ui/console/stored-layout.ts', 'src/ui/console/attach/own-window.tsx'],
      rules: { 'no-restricted-globals': without(STORAGE, 'localStorage') },
    },
    {
      // What other apps report comes over a socket of the page's own server.
      files: ['src/ui/console/attach/app-sources.ts'],
      rules: { 'no-restricted-globals': without(STORAGE, 'WebSocket') },
    },
    {
      files: ['src/machines/**', 'src/trace/**', 'src/public/*.ts'],
      rules: {
        'no-restricted-globals': without(AMBIENT),
        'no-restricted-properties': ['error', NOW, RANDOM],
        'chartroom/no-current-date': 'error',
      },
    },
    {
      // Apps whose dependencies, this package among them, are not installed here; `npm run examples` checks their
      // types.
      files: ['examples/{next,node,playwright,react,sveltekit,vue,xstate}/**'],
      rules: {
        'import/no-default-export': 'off',
        'no-console': 'off',
        'typescript/no-redundant-type-constituents': 'off',
        'typescript/no-unsafe-argument': 'off',
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-call': 'off',
        'typescript/no-unsafe-member-access': 'off',
        'typescript/no-unsafe-return': 'off',
      },
    },
    {
      // Files that share a worker share these modules: their own hooks would run in the first file only.
      files: ['tests/harness/**'],
      excludeFiles: ['tests/harness/{each-file.ts,faults.ts,lost-session.tsx}'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            paths: [
              {
                name: 'vitest',
                importNames: ['beforeAll', 'beforeEach', 'afterEach', 'afterAll'],
                message: 'Call atTestEnd or atFileEnd of endings.ts instead.',
              },
            ],
          },
        ],
      },
    },
    { files: ['tests/**'], rules: { 'chartroom/no-sleep': 'error' } },
    {
      files: ['**/*.{js,mjs}', 'tests/**', 'evidence/tests/**'],
      rules: {
        'typescript/no-unsafe-argument': 'off',
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-call': 'off',
        'typescript/no-unsafe-member-access': 'off',
        'typescript/no-unsafe-return': 'off',
      },
    },
  ],
})
