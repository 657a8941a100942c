// How vitest runs the tests: groups of projects one after the other, the cheapest first.
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// They compute, and leave nothing behind: files share a worker, and what they import is loaded once.
const pure = [
  ...['machines', 'model', 'trace', 'rows', 'lint'].map(dir => `tests/${dir}/**/*.test.ts`),
  'tests/services/{record,replay,via,coverage,divergence,minimise}*.test.ts',
]
const starting = ['backend', 'cli', 'scripts', 'scenarios', 'bench', 'testing'].map(
  dir => `tests/${dir}/**/*.test.{ts,tsx}`,
)
// They keep a database busy for so long that optimising it pays.
const deep = ['tests/backend/**/*property.test.ts', 'tests/backend/security/**/*.test.ts']
const browser = ['tests/browser/**/*.test.{ts,tsx}']

// Most databases here live for seconds: half of what one costs would be V8 optimising PostgreSQL meanwhile.
const execArgv = ['--liftoff-only']

export default defineConfig({
  test: {
    environment: 'node',
    retry: 0,
    // Said for all: a project with one worker alone is put behind the others. Three on two cores, since tests mostly wait.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // A second is soon over on a busy machine; what comes in time is seen at once all the same.
    expect: { poll: { timeout: 10_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: pure,
          isolate: false,
          restoreMocks: true,
          testTimeout: 10_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/**/*.test.{ts,tsx}'],
          exclude: [...pure, ...starting, ...browser],
          execArgv,
          testTimeout: 10_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // Tests that start servers or programs.
        extends: true,
        test: {
          name: 'system',
          include: starting,
          exclude: deep,
          execArgv,
          testTimeout: 30_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'deep',
          include: deep,
          testTimeout: 30_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: browser,
          execArgv,
          globalSetup: 'tests/harness/browser-setup.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
