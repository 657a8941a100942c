// `chartroom explain`: says in one sentence why something in a trace is so.
import {
  type Answer,
  explain,
  explainEnd,
  isExplained,
  oneLine,
  type Question,
  STATUS_QUESTIONS,
  type StatusQuestion,
  type StepRef,
  timeInWords,
} from '../trace/index.ts'
import type { ReplayableTrace } from '../public/devtools/replay.ts'
import { defineCommand, UsageError } from './command.ts'
import { type Finding, REPORT_FLAGS } from './file-report.ts'
import { eachFile } from './trace-files.ts'

export const explainCommand = defineCommand({
  usage: 'explain FILE... [flags]',
  text: `Says in one sentence why something in a trace is so, and lists the steps from its reason to it.
Without a flag, it explains the problem with which the trace ends. --step explains why a step happened, --actor
why an actor is in its state, --status a condition of the client. "-" reads a trace from standard input.

Exit code: 0 explained, or the trace ends without a problem, 1 the trace does not show it, 2 a file could not
be used.`,
  flags: {
    step: { type: 'string', value: 'N', about: 'Explain step N' },
    actor: { type: 'string', value: 'PATH', about: 'Explain the state of the actor at this path' },
    status: {
      type: 'string',
      value: 'STATUS',
      about: 'Explain a condition of the client',
      oneOf: STATUS_QUESTIONS,
    },
    at: { type: 'string', value: 'N', about: 'At step N instead of the end, for --actor and --status' },
    ...REPORT_FLAGS,
  },
  takes: [1, Infinity, 'file'],
  run: ({ values, names }) => {
    const question = questionOf(values)
    return eachFile({
      name: 'explain',
      files: names,
      values,
      doing: ['Explaining', 'steps'],
      examine: trace => describe(trace, question),
    })
  },
})

interface ExplainQuestion {
  readonly step: string | undefined
  readonly actor: string | undefined
  readonly status: StatusQuestion | undefined
  readonly at: string | undefined
}

/** @throws UsageError for several questions, and for numbers that are none */
function questionOf({ step, actor, status, at: moment }: ExplainQuestion): Question | undefined {
  if ([step, actor, status].filter(one => one !== undefined).length > 1)
    throw new UsageError('--step, --actor and --status are different questions: give one of them.')
  if (moment !== undefined && actor === undefined && status === undefined)
    throw new UsageError('--at needs --actor or --status. To explain a step, use --step.')
  const at = moment === undefined ? {} : { at: numberOf('--at', moment) }
  if (step !== undefined) return { step: numberOf('--step', step) }
  if (actor !== undefined) return { actor, ...at }
  return status === undefined ? undefined : { status, ...at }
}

function numberOf(flag: string, text: string): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number))
    throw new UsageError(`${flag} takes the number of a step, not "${text}".`)
  return number
}

function describe(trace: ReplayableTrace, question: Question | undefined): Finding {
  if (trace.header.steps === false) {
    const unknown = 'The trace was recorded without steps.'
    return { code: 1, outcome: 'unknown', lines: [unknown], json: { unknown } }
  }
  const answer = question ? explain(trace, question) : explainEnd(trace)
  if (!answer) return { code: 0, outcome: 'fine', lines: ['The trace ends without a problem.'], json: {} }
  return findingOf(answer)
}

function findingOf(answer: Answer): Finding {
  if (!isExplained(answer)) return { code: 1, outcome: 'unknown', lines: [answer.unknown], json: answer }
  const { sentence, because, next } = answer
  return {
    code: 0,
    outcome: 'explained',
    lines: [oneLine(sentence), ...(next === undefined ? [] : [oneLine(next)]), ...because.map(stepLine)],
    json: answer,
  }
}

const stepLine = ({ step, actor, event, t }: StepRef): string =>
  oneLine(`  #${step} ${timeInWords(t)}: ${actor} ${event}`)
