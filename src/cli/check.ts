// `chartroom check`: holds traces against assertions; without any of one's own, against the client's invariants.
import { checkTrace, describeFailure, invariants } from '../replay.ts'
import type { AssertionResult, CheckReport, Failure } from '../replay.ts'
import { loadAssertions } from './assertions-file.ts'
import { defineCommand } from './command.ts'
import { eachFile, REPORT_FLAGS, type Finding } from './each-file.ts'
import type { Case } from './junit.ts'
import { loadSystems, MACHINES_FLAG } from './machines-file.ts'

/** Runs the command. */
export const checkCommand = defineCommand({
  usage: 'check FILE... [flags]',
  text: `Holds each trace against assertions (docs/guide/assertions.md): those of --assertions, else the invariants
of Chartroom's client. "-" reads a trace from the standard input.

Exit code: 0 all hold, 1 one failed, 2 a file could not be used.`,
  flags: {
    assertions: {
      type: 'string',
      value: 'FILE',
      many: true,
      about: 'A module that exports assertions, or JSON; may be given often',
    },
    invariants: { type: 'boolean', about: "The client's invariants beside those of --assertions" },
    closed: {
      type: 'boolean',
      about: 'Nothing comes after the end: what is still asked for there has failed',
    },
    ...REPORT_FLAGS,
    ...MACHINES_FLAG,
  },
  takes: [1, Infinity, 'file'],
  async run({ values, names }) {
    const own = (await Promise.all(values.assertions.map(file => loadAssertions(file)))).flat()
    const assertions = [...(own.length === 0 || values.invariants ? invariants() : []), ...own]
    return eachFile({
      name: 'check',
      systems: await loadSystems(values.machines),
      files: names,
      values,
      doing: ['Checking', 'steps'],
      look: trace => describe(checkTrace(trace, assertions, values.closed ? { isClosed: true } : {})),
    })
  },
})

function describe(report: CheckReport): Finding {
  const { outcome, results, steps } = report
  const failed = results.filter(({ verdict }) => verdict === 'fails')
  return {
    code: failed.length > 0 ? 1 : 0,
    outcome,
    json: report,
    lines: [
      `${results.length} assertions over ${steps} steps: ${failed.length} failed`,
      ...results.flatMap(describeResult),
    ],
    cases: results.map(caseOf),
  }
}

function describeResult(result: AssertionResult): string[] {
  const { name, says, verdict, waiting, isMet } = result
  if (verdict === 'fails')
    return [
      `fails    ${name}${says === undefined ? '' : `: ${says}`}`,
      ...detailsOf(result).map(line => `  ${line}`),
    ]
  const waits = waiting.flatMap(linesOf).map(line => `  ${line}`)
  return verdict === 'pending'
    ? [`pending  ${name}`, ...waits]
    : [`holds    ${name}${isMet ? '' : ', but speaks of nobody in this trace'}`]
}

function detailsOf({ failures, failed }: AssertionResult): string[] {
  const more = failed - failures.length
  return [...failures.flatMap(linesOf), ...(more > 0 ? [`and ${more} more`] : [])]
}

const linesOf = (failure: Failure) => describeFailure(failure).split('\n')

function caseOf(result: AssertionResult): Case {
  const { name, verdict, failures } = result
  if (verdict !== 'fails') return { name }
  const message = failures[0]?.why ?? 'It failed.'
  return { name, wrong: { kind: 'failure', message, details: detailsOf(result).join('\n') } }
}
