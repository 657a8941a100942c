// Counts what vitest reports; anything that keeps a test from running counts as a failure.
import type { Reporter, TestModule, SerializedError } from 'vitest/node'

/** A vitest reporter that counts tests; a file or suite whose setup fails counts as one failure. */
export class TestTally implements Reporter {
  passed = 0
  failed = 0
  skipped = 0
  /** Files of which every test was run, or is always skipped. */
  readonly finished = new Set<string>()

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    this.failed += errors.length
    for (const module of modules) {
      const tests = [...module.children.allTests()]
      if (tests.every(test => test.options.mode !== 'run' || test.result().state !== 'skipped'))
        this.finished.add(module.moduleId)
      this.failed += module.errors().length > 0 ? 1 : 0
      for (const suite of module.children.allSuites()) this.failed += suite.errors().length > 0 ? 1 : 0
      for (const test of tests) {
        const { state } = test.result()
        if (state === 'passed') this.passed += 1
        else if (state === 'failed') this.failed += 1
        else this.skipped += 1
      }
    }
  }

  /** The summary line: `N passed, N failed`, and `, N skipped` if any were skipped. */
  line(): string {
    return `${this.passed} passed, ${this.failed} failed${this.skipped > 0 ? `, ${this.skipped} skipped` : ''}`
  }
}
