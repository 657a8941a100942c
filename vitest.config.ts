// How vitest runs the tests: in groups that differ in what they share, all of them in one queue.
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/test-order.ts'

// They compute, and leave nothing behind.
const pure = [
  ...['machines', 'model', 'trace', 'rows', 'lint'].map(dir => `tests/${dir}/**/*.test.ts`),
  'tests/services/{record,replay,via,coverage,divergence,minimise}*.test.ts',
  'tests/scenarios/{chaos,replay,storm}*.test.ts',
]
const starting = ['backend', 'cli', 'scripts', 'scenarios', 'bench', 'testing'].map(
  dir => `tests/${dir}/**/*.test.{ts,tsx}`,
)
// They keep a database busy for so long that optimising it pays.
const deep = ['tests/backend/**/*property.test.ts', 'tests/backend/security/**/*.test.ts']
const ui = ['tests/ui/**/*.test.ts']
// They change the page that they run in.
const page = ['tests/ui/**/*.test.tsx']
const browser = ['tests/browser/**/*.test.{ts,tsx}']
// They put something in the place of a module, or weigh the whole process.
const alone = [
  'tests/backend/{extensions,stopped-memory}.test.ts',
  'tests/trace/damage.test.ts',
  'tests/ui/app-opening.test.ts',
]

// Most databases here live for seconds: half of what one costs would be V8 optimising PostgreSQL meanwhile.
const execArgv = ['--liftoff-only']
// Files that share a worker load what they import once, and find it optimised.
const shared = { isolate: false, restoreMocks: true }

export default defineConfig({
  test: {
    environment: 'node',
    retry: 0,
    // The build that browser tests wait for says "production" to whoever is started after it.
    env: { NODE_ENV: 'test' },
    // Said for all: a project with one worker alone is put behind the others. Four on two cores, since tests mostly wait.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    // A second is soon over on a busy machine; what comes in time is seen at once all the same.
    expect: { poll: { timeout: 30_000 } },
    setupFiles: 'tests/harness/patience.ts',
    sequence: { sequencer: LongestFirst },
    // For what hangs: how fast something is, is measured elsewhere.
    testTimeout: 240_000,
    hookTimeout: 120_000,
    projects: [
      { extends: true, test: { name: 'pure', include: pure, exclude: alone, ...shared } },
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/**/*.test.{ts,tsx}'],
          exclude: [...pure, ...starting, ...ui, ...page, ...browser],
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
          exclude: [...deep, ...alone, ...pure],
          execArgv,
          ...shared,
        },
      },
      { extends: true, test: { name: 'alone', include: alone } },
      { extends: true, test: { name: 'deep', include: deep } },
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
