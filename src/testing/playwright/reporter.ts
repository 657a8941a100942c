// A reporter for Playwright: lists failed and flaky tests by their first difference from a run that passed.
import { readFileSync } from 'node:fs'
import type { FullConfig, Reporter, Suite, TestCase } from '@playwright/test/reporter'
import { relative } from 'node:path'
import { DIFFERENCE } from './difference.ts'

const UNKNOWN = 'no run that passed was recorded before'

/** Prints the groups at the end, after the output of the other reporters; nothing if all tests passed. */
export class FirstDifferenceReporter implements Reporter {
  #root = ''
  #suite: Suite | undefined
  readonly #print: (text: string) => void

  /** Playwright passes the options of the configuration, of which there are none. */
  constructor(_options: object = {}, print: (text: string) => void = text => process.stdout.write(text)) {
    this.#print = print
  }

  onBegin({ rootDir }: FullConfig, suite: Suite): void {
    this.#root = rootDir
    this.#suite = suite
  }

  onEnd(): void {
    const tests = (this.#suite?.allTests() ?? []).filter(test =>
      /^(?:unexpected|flaky)$/.test(test.outcome()),
    )
    if (tests.length === 0) return
    const groups = Object.entries(Object.groupBy(tests, firstDifference))
    groups.sort(([, one = []], [, other = []]) => other.length - one.length)
    const lines = groups.flatMap(([difference, group = []]) => [
      `  ${group.length} × ${difference}`,
      ...group.map(test => `      ${this.#nameOf(test)}`),
    ])
    const count = `${tests.length} ${tests.length === 1 ? 'test' : 'tests'}`
    this.#print(`\n  Failed or flaky by first difference (${count}):\n\n${lines.join('\n')}\n`)
  }

  printsToStdio(): boolean {
    // So that Playwright's default reporter is used, too.
    return false
  }

  #nameOf(test: TestCase): string {
    const { file, line } = test.location
    const [, project = '', , ...titles] = test.titlePath()
    const place = `${relative(this.#root, file)}:${line}`
    const flaky = test.outcome() === 'flaky' ? ' (flaky)' : ''
    return plain(`${project === '' ? '' : `[${project}] `}${place} ${titles.join(' › ')}${flaky}`)
  }
}

/** The first line of the first comparison of its runs. */
function firstDifference({ results }: TestCase): string {
  for (const { name, body, path } of results.flatMap(({ attachments }) => attachments)) {
    if (name !== DIFFERENCE) continue
    const text = body?.toString() ?? (path === undefined ? '' : readFileSync(path, 'utf8'))
    return plain(text.split('\n')[0] ?? '')
  }
  return UNKNOWN
}

/** Names come from recordings and must not control the terminal. */
const plain = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd')
