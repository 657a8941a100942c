// Counts what vitest reports; anything that keeps a test from running counts as a failure.
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, TestModule, SerializedError } from 'vitest/node'
import { root } from './tool.ts'

/** A vitest reporter that counts tests; a file or suite whose setup fails counts as one failure. */
export class TestTally implements Reporter {
  passed = 0
  skipped = 0
  /** What failed, a line each: file, names of suites and test, and the first line of the error. */
  readonly failures: string[] = []
  /** Files of which every test was run, or is always skipped. */
  readonly finished = new Set<string>()

  get failed(): number {
    return this.failures.length
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    for (const error of errors) this.#fail('outside of any test', [error])
    for (const module of modules) {
      const file = relative(root, module.moduleId)
      const tests = [...module.children.allTests()]
      if (tests.every(test => test.options.mode !== 'run' || test.result().state !== 'skipped'))
        this.finished.add(module.moduleId)
      if (module.errors().length > 0) this.#fail(file, module.errors())
      for (const suite of module.children.allSuites())
        if (suite.errors().length > 0) this.#fail(`${file} > ${suite.fullName}`, suite.errors())
      for (const test of tests) {
        const { state, errors: found } = test.result()
        if (state === 'passed') this.passed += 1
        else if (state === 'failed') this.#fail(`${file} > ${test.fullName}`, found)
        else this.skipped += 1
      }
    }
  }

  #fail(name: string, errors: readonly { readonly message: string }[]): void {
    const [line = ''] = stripVTControlCharacters(errors[0]?.message ?? '').split('\n', 1)
    this.failures.push(`${name}: ${line}`)
  }

  /** The summary line: `N passed, N failed`, and `, N skipped` if any were skipped. */
  line(): string {
    return `${this.passed} passed, ${this.failed} failed${this.skipped > 0 ? `, ${this.skipped} skipped` : ''}`
  }

  /** The failures, and below them the summary line. */
  summary(): string {
    return [...this.failures.map(one => `FAILED ${one}`), this.line()].join('\n')
  }
}
