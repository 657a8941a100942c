// Runs the tests with vitest in projects that differ in what they share, all in one queue.
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/test-order.ts'

// Pure computations without side effects.
const pure = [
  ...['machines', 'model', 'trace', 'replay', 'rows', 'lint'].map(dir => `tests/${dir}/**/*.test.ts`),
  'tests/recording/record*.test.ts',
  'tests/scenarios/{chaos,replay,storm}*.test.ts',
]
// Keep a core busy for a minute or more, so they run beside tests that wait for servers.
const long = [
  'tests/scenarios/{chaos,replay-storms}.test.ts',
  'tests/model/specs.test.ts',
  'tests/recording/record-generated.test.ts',
]
const starting = ['backend', 'cli', 'scripts', 'scenarios', 'bench', 'testing'].map(
  dir => `tests/${dir}/**/*.test.{ts,tsx}`,
)
// They keep a database busy for so long that optimizing its code pays off.
const database = ['tests/backend/**/*property.test.ts', 'tests/backend/security/**/*.test.ts']
const ui = ['tests/ui/**/*.test.ts']
// They change the page that they run in.
const page = ['tests/ui/**/*.test.tsx']
const browser = ['tests/browser/**/*.test.{ts,tsx}']
// They mock a module, or measure memory of the whole process.
const alone = [
  'tests/backend/{extensions,stopped-memory}.test.ts',
  'tests/trace/damage.test.ts',
  'tests/ui/app-startup.test.ts',
  'tests/client/stream-code-missing.test.ts',
]

// Most databases here live for seconds: half of their cost would be V8 optimizing PostgreSQL in the
// background.
const execArgv = ['--liftoff-only']
// Files that share a worker load common imports once and run them already optimized.
const shared = { isolate: false, restoreMocks: true }
// The engine of all backends that tests start: `npm run test:deep` sets it for its second part.
const isOnServer = process.env['CHARTROOM_ENGINE'] === 'postgres'
// What `npm run test:deep` runs in addition.
const deep = process.env['CHARTROOM_DEEP'] === 'true' ? [] : ['**/*.deep.test.{ts,tsx}']
// Node's own modules: Vite's wrap each use of an import in a property access.
const computing = { ...shared, experimental: { viteModuleRunner: false } }

export default defineConfig({
  test: {
    environment: 'node',
    retry: 0,
    exclude: deep,
    // Without this, the build that browser tests wait for would set "production" for later processes.
    env: { NODE_ENV: 'test' },
    // Set globally, because a project with its own maxWorkers is queued after the others. Four on two cores,
    // since tests mostly wait.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    // On a busy machine a second is too short; a poll that succeeds returns at once anyway.
    expect: { poll: { timeout: 30_000 } },
    setupFiles: ['tests/harness/each-file.ts', ...(isOnServer ? ['tests/harness/postgres-engine.ts'] : [])],
    sequence: { sequencer: LongestFirst },
    // Only stops tests that hang; performance is measured elsewhere.
    testTimeout: 240_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: pure,
          exclude: [...alone, ...long],
          ...computing,
        },
      },
      { extends: true, test: { name: 'long', include: long, ...computing } },
      {
        extends: true,
        test: {
          name: 'unit',
          // Those of `evidence` use its packages, which `npm run test:deep` brings.
          include: ['tests/**/*.test.{ts,tsx}', 'evidence/tests/**/*.test.{ts,tsx}'],
          exclude: [...pure, ...starting, ...ui, ...page, ...browser, ...alone],
          execArgv,
          ...shared,
        },
      },
      { extends: true, test: { name: 'ui', include: ui, exclude: alone, execArgv, ...shared } },
      { extends: true, test: { name: 'page', include: page, execArgv } },
      {
        // Tests that start servers or programs.
        extends: true,
        test: {
          name: 'system',
          include: starting,
          exclude: [...database, ...alone, ...pure],
          execArgv,
          ...shared,
        },
      },
      { extends: true, test: { name: 'alone', include: alone } },
      { extends: true, test: { name: 'database', include: database } },
      {
        extends: true,
        test: {
          name: 'browser',
          include: browser,
          execArgv,
          globalSetup: 'tests/harness/browser-setup.ts',
          ...shared,
        },
      },
    ],
  },
})
