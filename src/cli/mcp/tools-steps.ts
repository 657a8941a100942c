// Tools that look into one recording: events, states, explanations, differences and network.
import type { ReplayableTrace } from '../../public/devtools/replay.ts'
import {
  compileQuery,
  describeTraceDiff,
  diffTraces,
  diffValues,
  explain,
  explainEnd,
  isExplained,
  KEY_HELP,
  listedChanges,
  encodeGraph,
  matchesDeep,
  parseQuery,
  partAt,
  type Question,
  stateLabel,
  STATUS_QUESTIONS,
  type StepRecord,
  timeInWords,
  type Timeline,
  type WireAttempt,
} from '../../trace/index.ts'
import { stepLines, stepText } from './chart-text.ts'
import { name, quoted, valueText } from './output.ts'
import { latestSteps, MACHINES_ABOUT, RECORDING_ABOUT, runningSteps, stepAt, timelineOf } from './session.ts'
import { defineTool, type Tool } from './tool.ts'

const RECORDING = { type: 'string', required: true, about: RECORDING_ABOUT } as const
const MACHINES = { type: 'string', about: MACHINES_ABOUT } as const

const QUERY_ABOUT = `Terms separated by spaces, all of which must match; "-" negates. Keys: ${Object.keys(KEY_HELP).join(', ')} (actor:request type:auth.* state:failed changed:/session caused-by:#812); words: failed, noop, injected, moved; dur>500ms, at<2s, #812, and any text`

const events = defineTool({
  name: 'events',
  title: 'Find events',
  about:
    'Lists the events (steps) of a recording that match a query, each with its actor and the state after it.',
  fields: {
    recording: RECORDING,
    query: { type: 'string', about: QUERY_ABOUT },
    latest: { type: 'boolean', about: 'The last ones first' },
    values: { type: 'boolean', about: 'Also the data of each event' },
    machines: MACHINES,
  },
  async run({ recording, query = '', latest = false, values = false, machines }, call) {
    const { trace } = await call.session.openWithSteps(recording, machines, call)
    const parsed = parseQuery(query)
    if (parsed.errors.length > 0)
      return {
        head: ['The query has an error.'],
        data: parsed.errors.map(({ message, from, to }) => `${quoted(query.slice(from, to))}: ${message}`),
        next: [
          `Keys: ${Object.entries(KEY_HELP)
            .map(([key, about]) => `${key}: (${about})`)
            .join(', ')}.`,
        ],
        isError: true,
      }
    const steps = matching(trace, timelineOf(trace), parsed)
    const ordered = latest ? steps.toReversed() : steps
    return {
      head: [`${steps.length} of ${trace.steps.length} events match.`],
      data: eventLines(trace, ordered, values),
      next:
        steps.length === 0
          ? ['Next: a wider query, or "overview".']
          : ['Next: "explain" or "state" with a number.'],
    }
  },
})

/** Numbers of the matching steps, ascending. */
function matching(
  trace: ReplayableTrace,
  timeline: Timeline,
  query: ReturnType<typeof parseQuery>,
): number[] {
  const { test, deep } = compileQuery(query, timeline)
  const latest = new Map<number, StepRecord>()
  return trace.steps.flatMap(step => {
    const before = latest.get(step.actor)
    latest.set(step.actor, step)
    const isFound =
      test(step.seq) && deep.every(({ term, negated }) => matchesDeep(term, step, before) !== negated)
    return isFound ? [step.seq] : []
  })
}

function* eventLines(
  trace: ReplayableTrace,
  seqs: readonly number[],
  withValues: boolean,
): Generator<string> {
  for (const seq of seqs) {
    const step = trace.steps[seq]
    if (!step) continue
    const { type: _, ...rest } = step.event
    yield `${stepText(trace, step)}${withValues && Object.keys(rest).length > 0 ? ` ${valueText(rest)}` : ''}`
  }
}

const state = defineTool({
  name: 'state',
  title: 'State at a moment',
  about:
    'Shows the state of every machine after a step, or the state, context and last event of one actor; a JSON pointer shows one part of the context.',
  fields: {
    recording: RECORDING,
    at: { type: 'integer', about: 'Number of the step; default the last one' },
    actor: { type: 'string', about: 'Path of one actor, such as client/session' },
    pointer: { type: 'string', about: 'With actor: a part of its context, such as /token/user' },
    machines: MACHINES,
  },
  async run({ recording, at, actor, pointer, machines }, call) {
    const { trace } = await call.session.openWithSteps(recording, machines, call)
    const moment = stepAt(trace, at ?? trace.steps.length - 1)
    const latest = latestSteps(trace, moment.seq)
    const head = [`After step ${moment.seq}, at ${timeInWords(moment.t)}.`]
    if (actor === undefined)
      return { head, data: allStates(trace, latest), next: ['Next: one actor for its context.'] }
    const index = trace.actors.findLast(one => one.path === actor && latest.has(one.index))?.index
    const step = index === undefined ? undefined : latest.get(index)
    if (!step)
      return {
        head: ['There is no such actor at this moment. There are:'],
        data: allStates(trace, latest),
        isError: true,
      }
    return { head, data: actorLines(trace, step, pointer) }
  },
})

function* allStates({ actors }: ReplayableTrace, latest: ReadonlyMap<number, StepRecord>): Generator<string> {
  const steps = runningSteps(latest).sort((a, b) => a.actor - b.actor)
  const [machines, leaves] = [
    steps.filter(step => step.value !== undefined),
    steps.filter(step => step.value === undefined),
  ]
  for (const { actor, value, status, seq } of [...machines, ...leaves]) {
    const label = stateLabel(value)
    yield `${name(actors[actor]?.path ?? '')}: ${name(label === '' ? status : label)}${status === 'active' || label === '' ? '' : ` (${status})`} since #${seq}`
  }
}

function* actorLines(
  trace: ReplayableTrace,
  step: StepRecord,
  pointer: string | undefined,
): Generator<string> {
  if (pointer !== undefined) {
    const part = pointer === '' ? step.context : partAt(step.context, pointer)
    yield `context ${quoted(pointer)}: ${valueText(part, 440)}`
    return
  }
  yield* stepLines(trace, step)
  const { context, output, error } = step
  if (typeof context === 'object' && context !== null && !Array.isArray(context))
    for (const [key, value] of Object.entries(context)) yield `context ${name(key)}: ${valueText(value, 200)}`
  else if (context !== undefined) yield `context: ${valueText(context, 400)}`
  if (output !== undefined) yield `output: ${valueText(output, 400)}`
  if (error !== undefined) yield `error: ${valueText(error, 400)}`
}

const explainTool = defineTool({
  name: 'explain',
  title: 'Explain why',
  about:
    'Says in one sentence why a step happened, why an actor is in its state, or how the recording ended, and lists the steps from the reason on with file:line of the transitions, guards and actions that they took.',
  fields: {
    recording: RECORDING,
    step: { type: 'integer', about: 'Why did this step happen?' },
    actor: { type: 'string', about: 'Why is the actor at this path in its state?' },
    status: { type: 'string', oneOf: STATUS_QUESTIONS, about: 'Why is the client so?' },
    at: { type: 'integer', about: 'With actor or status: after this step; default the end' },
    machines: MACHINES,
  },
  async run({ recording, step, actor, status, at, machines }, call) {
    if ([step, actor, status].filter(one => one !== undefined).length > 1)
      throw new Error('step, actor and status are different questions: give one of them.')
    const opened = await call.session.openWithSteps(recording, machines, call)
    const { trace } = opened
    const moment = at === undefined ? {} : { at }
    const question: Question | undefined =
      step !== undefined
        ? { step }
        : actor !== undefined
          ? { actor, ...moment }
          : status && { status, ...moment }
    const answer = question ? explain(trace, question) : explainEnd(trace)
    if (!answer)
      return {
        head: ['The recording ends without a visible problem.'],
        next: ['Next: "state" for how it ends, then "explain" with the actor that is wrong.'],
      }
    if (!isExplained(answer))
      return {
        head: ['The recording does not show it.'],
        data: [answer.unknown],
        next: ['Next: "events" or "state".'],
      }
    const { sentence, next, because } = answer
    const { charts, note } = await call.session.located(opened, machines, call)
    const lines = because.flatMap(one => {
      const record = trace.steps[one.step]
      return record ? stepLines(trace, record, charts) : []
    })
    return {
      head: [],
      data: [sentence, ...(next === undefined ? [] : [next]), ...lines],
      next: note === undefined ? [] : [note],
    }
  },
})

const diff = defineTool({
  name: 'diff',
  title: 'Compare moments or recordings',
  about:
    'Compares two moments of a recording (from, to): which actors changed, and how; or two recordings (other): the first step at which they diverge, and how their machines differ.',
  fields: {
    recording: RECORDING,
    from: { type: 'integer', about: 'Number of the first step' },
    to: { type: 'integer', about: 'Number of the second step; default the last one' },
    other: { type: 'string', about: 'Another recording to compare with' },
    behavior: {
      type: 'boolean',
      about: 'With other: only events and states, since data differ between runs',
    },
    machines: MACHINES,
  },
  async run({ recording, from, to, other: otherRecording, behavior = false, machines }, call) {
    const { trace } = await call.session.openWithSteps(recording, machines, call)
    if (otherRecording !== undefined) {
      const { trace: second } = await call.session.openWithSteps(otherRecording, machines, call)
      const differences = diffTraces(trace, second, behavior ? { only: 'behavior' } : {})
      return {
        head: [
          differences.isSame
            ? 'The recordings are the same.'
            : 'The recordings differ. A is recording, B is other.',
        ],
        data: describeTraceDiff(differences),
      }
    }
    if (from === undefined) throw new Error('Give from, the number of a step, or other, a second recording.')
    const [a, b] = [stepAt(trace, from), stepAt(trace, to ?? trace.steps.length - 1)]
    return {
      head: [`From after step ${a.seq} to after step ${b.seq}.`],
      data: momentLines(trace, a.seq, b.seq),
    }
  },
})

function* momentLines(trace: ReplayableTrace, from: number, to: number): Generator<string> {
  const [before, after] = [latestSteps(trace, from), latestSteps(trace, to)]
  for (const [actor, is] of [...after].sort(([a], [b]) => a - b)) {
    const previous = before.get(actor)
    if (previous === is) continue
    const path = name(trace.actors[actor]?.path ?? '')
    const [stateWas, stateIs] = [previous, is].map(step =>
      step ? stateLabel(step.value) || step.status : 'absent',
    )
    const changes = previous
      ? listedChanges(diffValues(encodeGraph(previous.context), encodeGraph(is.context), 12))
      : []
    if (stateWas === stateIs && previous?.status === is.status && changes.length === 0) continue
    yield `${path}: ${name(stateWas ?? '')} → ${name(stateIs ?? '')}${previous && previous.status !== is.status ? ` (${is.status})` : ''}, last by #${is.seq}`
    for (const { path: at, before: one, after: two } of changes)
      yield `  context ${name(at)}: ${valueText(one, 80)} → ${valueText(two, 80)}`
  }
}

const network = defineTool({
  name: 'network',
  title: 'Requests and sockets',
  about:
    "Lists the requests, calls and sockets of a recording of Chartroom's client: method, path, status, failure and time. Recordings have no headers, bodies or secrets.",
  fields: {
    recording: RECORDING,
    failed: { type: 'boolean', about: 'Only those without a successful response' },
    machines: MACHINES,
  },
  async run({ recording, failed = false, machines }, call) {
    const { trace } = await call.session.openWithSteps(recording, machines, call)
    const { wire } = timelineOf(trace)
    const lines = wire.flatMap(one =>
      one.attempts.flatMap((attempt, at) => {
        if (failed && !isFailed(attempt)) return []
        return [
          `#${attempt.seq} ${timeInWords(attempt.start)} ${one.kind} ${name(one.method)} ${name(one.path)}${at > 0 ? ` (attempt ${at + 1})` : ''}: ${outcomeOf(attempt)}`,
        ]
      }),
    )
    return {
      head: [`${lines.length} ${failed ? 'failed attempts' : 'attempts'}.`],
      data: lines,
      ...(wire.length === 0 && {
        next: [
          'Only Chartroom\'s client records its network. Next: "events" with the effects of the app, such as actor:fetch*.',
        ],
      }),
    }
  },
})

const isFailed = ({ status, failure, error, closed }: WireAttempt) =>
  failure !== undefined || error !== undefined || closed !== undefined || (status ?? 200) >= 400

function outcomeOf({ status, failure, error, closed, answered, start, bytes, answer }: WireAttempt): string {
  const parts = [
    ...(status === undefined ? [] : [String(status)]),
    ...(failure === undefined ? [] : [name(failure)]),
    ...(error === undefined ? [] : [name(error)]),
    ...(closed
      ? [`closed ${closed.code ?? ''} ${closed.reason === undefined ? '' : quoted(closed.reason)}`.trim()]
      : []),
    ...(bytes === undefined ? [] : [`${bytes} bytes`]),
    ...(answered === undefined ? [] : [`after ${timeInWords(answered - start)}, #${answer}`]),
  ]
  return parts.join(', ') || 'no response'
}

export const STEP_TOOLS: readonly Tool[] = [events, state, explainTool, diff, network]
