// `chartroom info`: summarizes a trace without replaying it.
import type { ReplayableTrace } from '../public/devtools/replay.ts'
import { describeDamage, explainEnd, notesOf, oneLine, positionIn, timeInWords } from '../trace/index.ts'
import { codeLink } from './code-position.ts'
import { defineCommand } from './command.ts'
import { type Finding, REPORT_FLAGS } from './file-report.ts'
import { eachFile } from './trace-files.ts'

export const infoCommand = defineCommand({
  usage: 'info FILE... [flags]',
  text: `Summarizes each trace: its system, time, size, and whether it is complete.
"-" reads a trace from standard input.

Exit code: 0 all complete, 1 a trace is damaged or truncated, 2 a file could not be used.`,
  flags: REPORT_FLAGS,
  takes: [1, Infinity, 'file'],
  run: ({ values, names }) =>
    eachFile({
      name: 'info',
      files: names,
      values,
      doing: ['Reading', 'steps'],
      examine: (trace, _, bytes) => describe(trace, bytes),
    }),
})

function describe(trace: ReplayableTrace, bytes: number): Finding {
  const { header, actors, stimuli, steps, tape, keyframes, bookmarks, damage } = trace
  const { format, system, startedAt, appVersion, xstateVersion, machines, redaction } = header
  const problem = header.steps === false ? undefined : explainEnd(trace)?.sentence
  const seconds = Math.max(steps.at(-1)?.t ?? 0, stimuli.at(-1)?.t ?? 0) / 1000
  const withPlace = (id: string) => {
    const at = positionIn(header, id, { kind: 'machine' })
    return at ? `${id} (${codeLink(at)})` : id
  }
  const facts = {
    system,
    format,
    startedAt,
    seconds,
    bytes,
    versions: { app: appVersion, xstate: xstateVersion },
    redaction: redaction.policy,
    actors: tally(actors.map(({ kind }) => kind)),
    stimuli: tally(stimuli.map(({ kind }) => kind)),
    steps: steps.length,
    tape: tape.length,
    keyframes: keyframes.length,
    bookmarks: notesOf(bookmarks).map(({ step, note }) => ({ step: step, note })),
    machines: Object.fromEntries(Object.entries(machines).map(([id, { hash }]) => [id, hash])),
    isClosed: trace.end !== undefined,
    ...(problem !== undefined && { problem }),
    damage,
  }
  return {
    code: damage.length > 0 ? 1 : 0,
    outcome: damage.length > 0 ? 'damaged' : 'whole',
    json: facts,
    lines: [
      `System     ${system}, format ${format}, ${bytes.toLocaleString('en')} bytes`,
      `Recorded   ${startedAt}, ${timeInWords(seconds * 1000)}; ${appVersion === '' ? '' : `app ${appVersion}, `}XState ${xstateVersion}`,
      `Actors     ${tallied(facts.actors)}`,
      `Inputs     ${tallied(facts.stimuli)}`,
      `Steps      ${header.steps === false ? 'not recorded' : steps.length}; ${tape.length} readings of time, random and ids; ${keyframes.length} keyframes`,
      `Machines   ${Object.keys(machines).map(withPlace).join(', ') || 'none'}`,
      `Redaction  ${redaction.policy}`,
      ...(problem === undefined ? [] : [`Problem    ${oneLine(problem)}`]),
      ...notesOf(bookmarks).map(({ step, note }) => `Bookmark   step ${step}: ${note}`),
      ...damage.map(one => `Damage     ${describeDamage(one)}`),
    ],
  }
}

function tally(kinds: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

function tallied(counts: Readonly<Record<string, number>>): string {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const parts = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`)
  return parts.length === 0 ? '0' : `${total} (${parts.join(', ')})`
}
