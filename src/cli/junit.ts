// JUnit reports: a suite per file, a case per check.
import { xmlAttributes, xmlText } from '../trace/index.ts'

export interface Case {
  readonly name: string
  /** Absent on success. `error`: the check could not be performed. */
  readonly problem?: {
    readonly kind: 'failure' | 'error'
    readonly message: string
    readonly details: string
  }
}

export interface Suite {
  readonly name: string
  readonly seconds: number
  readonly cases: readonly Case[]
}

/** Formats the whole report. */
export function junit(name: string, suites: readonly Suite[]): string {
  const totals = { name, ...tally(suites.flatMap(({ cases }) => cases)), time: time(sum(suites)) }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${xmlAttributes(totals)}>`,
    ...suites.flatMap(suite => describeSuite(name, suite)),
    '</testsuites>',
    '',
  ].join('\n')
}

function describeSuite(command: string, { name, seconds, cases }: Suite): string[] {
  const each = time(seconds / Math.max(1, cases.length))
  return [
    `  <testsuite${xmlAttributes({ name, ...tally(cases), skipped: 0, time: time(seconds) })}>`,
    ...cases.flatMap(one => {
      const head = `    <testcase${xmlAttributes({ name: one.name, classname: `chartroom.${command}`, time: each })}`
      if (!one.problem) return `${head}/>`
      const { kind, message, details } = one.problem
      const opened = `<${kind}${xmlAttributes({ message, type: kind === 'error' ? 'unusable' : command })}>`
      return [`${head}>`, `      ${opened}${xmlText(details)}</${kind}>`, '    </testcase>']
    }),
    '  </testsuite>',
  ]
}

function tally(cases: readonly Case[]) {
  const count = (kind: 'failure' | 'error') => cases.filter(({ problem }) => problem?.kind === kind).length
  return { tests: cases.length, failures: count('failure'), errors: count('error') }
}

const sum = (suites: readonly Suite[]) => suites.reduce((total, { seconds }) => total + seconds, 0)
const time = (seconds: number) => seconds.toFixed(3)
