// Counts what vitest reports, so that whatever keeps a test from running counts as failed.
import type { Reporter, TestModule, SerializedError } from 'vitest/node'

/** A vitest reporter that counts tests; a file or suite that can't be set up is one failure of its own. */
export class TestTally implements Reporter {
  passed = 0
  failed = 0
  skipped = 0

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    this.failed += errors.length
    for (const module of modules) {
      this.failed += module.errors().length > 0 ? 1 : 0
      for (const suite of module.children.allSuites()) this.failed += suite.errors().length > 0 ? 1 : 0
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') this.passed += 1
        else if (state === 'failed') this.failed += 1
        else this.skipped += 1
      }
    }
  }

  /** The closing line: `N passed, N failed`, and `, N skipped` if there are any. */
  line(): string {
    return `${this.passed} passed, ${this.failed} failed${this.skipped > 0 ? `, ${this.skipped} skipped` : ''}`
  }
}
