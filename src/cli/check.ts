// `chartroom check`: checks traces against assertions; without --assertions, against the client's invariants.
import {
  type AssertionFailure,
  type AssertionResult,
  type CheckReport,
  checkTrace,
  describeAssertionFailure,
  invariants,
} from '../public/devtools/assertions.ts'
import { stepPosition, type SourcePosition } from '../trace/index.ts'
import { loadAssertions } from './assertions-file.ts'
import { codeLink, codePath } from './code-position.ts'
import { defineCommand } from './command.ts'
import { type Finding, REPORT_FLAGS } from './file-report.ts'
import type { Case } from './junit.ts'
import { eachFile } from './trace-files.ts'
import { loadMachines, MACHINES_FLAG } from './machines-file.ts'

export const checkCommand = defineCommand({
  usage: 'check FILE... [flags]',
  text: `Checks each trace against assertions (docs/guide/assertions.md): those of --assertions, or the invariants
of Chartroom's client. "-" reads a trace from standard input.

Exit code: 0 all pass, 1 an assertion failed, 2 a file could not be used.`,
  flags: {
    assertions: {
      type: 'string',
      value: 'FILE',
      isRepeatable: true,
      about: 'A module that exports assertions, or a JSON file; repeatable',
    },
    invariants: { type: 'boolean', about: "Also check the client's invariants" },
    closed: {
      type: 'boolean',
      about: 'Treat the end of the trace as final: pending assertions fail',
    },
    ...REPORT_FLAGS,
    ...MACHINES_FLAG,
  },
  takes: [1, Infinity, 'file'],
  async run({ values, names }) {
    const ownAssertions = (await Promise.all(values.assertions.map(file => loadAssertions(file)))).flat()
    const assertions = [
      ...(ownAssertions.length === 0 || values.invariants ? invariants() : []),
      ...ownAssertions,
    ]
    const machines = await loadMachines(values.machines)
    return eachFile({
      name: 'check',
      machines,
      files: names,
      values,
      doing: ['Checking', 'steps'],
      examine: trace => {
        const report = checkTrace(trace, assertions, values.closed ? { isClosed: true } : {})
        const sources = machines.sourcesOf(trace)
        const { actors, steps, header } = trace
        const located = { actors, steps, header: { ...header, ...(sources && { sources }) } }
        return describe(report, ({ seq }) => {
          const step = steps[seq]
          return step && stepPosition(located, step)
        })
      },
    })
  },
})

/** Finds the code behind a failure. */
type PlaceOf = (failure: AssertionFailure) => SourcePosition | undefined

function describe(report: CheckReport, placeOf: PlaceOf): Finding {
  const { outcome, results, steps } = report
  const failed = results.filter(({ verdict }) => verdict === 'fails')
  const [first] = failed.flatMap(({ failures }) => failures)
  const at = first && placeOf(first)
  return {
    code: failed.length > 0 ? 1 : 0,
    outcome: outcome === 'holds' ? 'passes' : outcome,
    json: report,
    lines: [
      `${results.length} assertions over ${steps} steps: ${failed.length} failed`,
      ...results.flatMap(result => describeResult(result, placeOf)),
    ],
    cases: results.map(result => caseOf(result, placeOf)),
    ...(at && { at: { ...at, file: codePath(at.file) } }),
  }
}

function describeResult(result: AssertionResult, placeOf: PlaceOf): string[] {
  const { name, says, verdict, waiting, isMet } = result
  if (verdict === 'fails')
    return [
      `fails    ${name}${says === undefined ? '' : `: ${says}`}`,
      ...detailsOf(result, placeOf).map(line => `  ${line}`),
    ]
  const waits = waiting.flatMap(failure => linesOf(failure)).map(line => `  ${line}`)
  return verdict === 'pending'
    ? [`pending  ${name}`, ...waits]
    : [`passes   ${name}${isMet ? '' : ', but matched no actor'}`]
}

function detailsOf({ failures, failed }: AssertionResult, placeOf: PlaceOf): string[] {
  const moreCount = failed - failures.length
  return [
    ...failures.flatMap(failure => linesOf(failure, placeOf(failure))),
    ...(moreCount > 0 ? [`and ${moreCount} more`] : []),
  ]
}

const linesOf = (failure: AssertionFailure, at?: SourcePosition) => [
  ...describeAssertionFailure(failure).split('\n'),
  ...(at ? [`at ${codeLink(at)}`] : []),
]

function caseOf(result: AssertionResult, placeOf: PlaceOf): Case {
  const { name, verdict, failures } = result
  if (verdict !== 'fails') return { name }
  const message = failures[0]?.why ?? 'The assertion failed.'
  return { name, problem: { kind: 'failure', message, details: detailsOf(result, placeOf).join('\n') } }
}
