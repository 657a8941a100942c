// How vitest runs the tests: three projects, one after the other, the cheapest first.
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const starting = ['backend', 'cli', 'scripts', 'scenarios', 'bench'].map(
  dir => `tests/${dir}/**/*.test.{ts,tsx}`,
)
const browser = ['tests/browser/**/*.test.{ts,tsx}']

export default defineConfig({
  test: {
    environment: 'node',
    retry: 0,
    // Said for all: a project with one worker alone, as two cores would have it, is put behind the others.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // A second is soon over on a busy machine; what comes in time is seen at once all the same.
    expect: { poll: { timeout: 10_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/**/*.test.{ts,tsx}'],
          exclude: [...starting, ...browser],
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
          globalSetup: 'tests/harness/browser-setup.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
