// Fifteen bugs, each planted in one line: ten in our machines, five in other machines; and apps that have them.
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { ReportCause } from '../../src/machines/index.ts'
import { atFileEnd } from './endings.ts'

export interface PlantedLine {
  readonly what: string
  /** Path from the root of the app. */
  readonly file: string
  readonly right: string
  readonly wrong: string
  /** A story of `bug-run.ts`; for other machines the events that are sent. */
  readonly story: string | readonly { readonly type: string; readonly [key: string]: unknown }[]
  /** For other machines: the export of the file that has it, as an expression, and its system. */
  readonly machine?: readonly [expression: string, system: string]
}

const request = 'src/machines/requests/request.ts'
const examples = 'tests/harness/example-machines.ts'
const strangers = 'tests/trace/explain/corpus/stranger-machines.ts'

export const PLANTED_LINES: readonly PlantedLine[] = [
  {
    what: 'any failed refresh ends the session',
    file: 'src/machines/refresh/attempt.ts',
    right: 'isTerminal: (_, params: { failure: Failure }) => terminalReason(params.failure) !== undefined,',
    wrong: 'isTerminal: (_, params: { failure: Failure }) => terminalReason(params.failure) === undefined,',
    story: 'refresh fails',
  },
  {
    what: 'a failed refresh counts as refused',
    file: 'src/machines/refresh/attempt.ts',
    right: "      outcome: { kind: 'failed', failure },",
    wrong: "      outcome: { kind: 'refused', reason: 'remoteRevoked', failure },",
    story: 'refresh fails',
  },
  {
    what: 'a request without a response is not retried',
    file: request,
    right: 'canRetry: ({ context }, params: { failure: Failure }) => canRetry(context, params.failure),',
    wrong: 'canRetry: ({ context }, params: { failure: Failure }) => !canRetry(context, params.failure),',
    story: 'no connection',
  },
  {
    what: 'a server error is not retried',
    file: request,
    right: 'canRetryAnswer: ({ context }, answer: Answered) => canRetryAnswer(context, answer),',
    wrong: 'canRetryAnswer: ({ context }, answer: Answered) => !canRetryAnswer(context, answer),',
    story: 'server restarts',
  },
  {
    what: 'an error counts as a complete response',
    file: request,
    right: 'isComplete: (_, answer: Answered) => isComplete(answer),',
    wrong: 'isComplete: (_, answer: Answered) => !isComplete(answer),',
    story: 'server restarts',
  },
  {
    what: 'any server error counts as too late for a retry',
    file: request,
    right: 'canRetryAnswer(context, answer) && isRetryPastDeadline(context, answer),',
    wrong: 'canRetryAnswer(context, answer) || isRetryPastDeadline(context, answer),',
    story: 'server restarts',
  },
  {
    what: 'an error counts as a rejected stream',
    file: request,
    right: 'context.info.streamed === true && isStale(context, answer),',
    wrong: 'context.info.streamed !== true || isStale(context, answer),',
    story: 'server restarts',
  },
  {
    what: 'each request settles twice',
    file: 'src/machines/requests/requests.ts',
    right: "enqueue(sendParent({ type: 'request.settled', output } satisfies RequestsReport))",
    wrong:
      "for (const one of [output, output]) enqueue(sendParent({ type: 'request.settled', output: one }))",
    story: 'ordinary',
  },
  {
    what: 'an error counts as a refused key',
    file: request,
    right: 'isKeyRefused: (_, { refusal }: Answered) => isKeyRefusal(refusal),',
    wrong: 'isKeyRefused: (_, { refusal }: Answered) => !isKeyRefusal(refusal),',
    story: 'server restarts',
  },
  {
    what: 'a user who can not be loaded is signed out',
    file: 'src/machines/session/setup.ts',
    right: 'isTerminal: (_, { failure }: HasFailure) => terminalReason(failure) !== undefined,',
    wrong: 'isTerminal: (_, { failure }: HasFailure) => terminalReason(failure) === undefined,',
    story: 'user fails',
  },
  {
    what: 'a form without a name',
    file: examples,
    right: "type: { actions: assign({ name: ({ event }) => String(event['name']) }) },",
    wrong: "type: { actions: assign({ name: ({ event }) => (event['name'] as string).trim() }) },",
    story: [{ type: 'type', name: 'Ann' }, { type: 'type', name: 'Bo' }, { type: 'type' }],
    machine: ['form()', 'form'],
  },
  {
    what: 'lost ships are counted in a list that is missing',
    file: examples,
    right: 'count: assign({ lost: ({ context }) => context.lost + 1 }),',
    wrong: 'count: assign({ lost: ({ context }) => (context as never as { list: number[] }).list.length }),',
    story: [
      { type: 'build' },
      { type: 'build' },
      { type: 'knock', at: 0 },
      { type: 'knock', at: 1 },
      { type: 'knock', at: 0 },
    ],
    machine: ['yard()', 'yard'],
  },
  {
    what: 'a microwave reads another clock',
    file: strangers,
    right: 'guards: { isDone: ({ context }) => context.elapsed >= 2 },',
    wrong:
      'guards: { isDone: ({ context }) => (context as never as { clock: { now: number } }).clock.now >= 2 },',
    story: [{ type: 'LOOK' }, { type: 'POWER' }],
    machine: ['microwave', 'microwave'],
  },
  {
    what: 'a door reads the key ring',
    file: strangers,
    right: 'hasKey: ({ context }) => context.key,',
    wrong: 'hasKey: ({ context }) => (context as never as { ring: { key: boolean } }).ring.key,',
    story: [{ type: 'lock' }, { type: 'key.find' }, { type: 'lock' }, { type: 'unlock' }],
    machine: ['door', 'door'],
  },
  {
    what: 'a list that can not be loaded',
    file: strangers,
    right: "loading: { invoke: { src: 'load', id: 'load', onDone: 'success', onError: 'failure' } },",
    wrong: "loading: { invoke: { src: 'load', id: 'load', onDone: 'success' } },",
    story: [{ type: 'LOOK' }, { type: 'FETCH' }, { type: 'LOOK' }],
    machine: ['fetcher(true)', 'fetcher'],
  },
]

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const COPIED = [
  'src/machines',
  'src/trace',
  'src/services/runtime',
  'src/services/recording',
  'src/services/client',
  'src/services/replay',
  'src/services/reports',
  'src/testing/virtual-clock.ts',
  'tests/harness/scripted-ports.ts',
  'tests/harness/bug-run.ts',
  examples,
  strangers,
]
const PACKAGES = [
  'xstate',
  'rxjs',
  'idb',
  'valibot',
  '@supabase',
  'tus-js-client',
  'diff',
  // For the tests that the agent has written.
  'vitest',
  '@chartroom',
]

/** An app with a bug: its sources, its machines and a recording of the failure. */
export interface BuggedApp {
  readonly folder: string
  readonly machines: string
  readonly cause: ReportCause
  readonly trace: Uint8Array
}

/** Copies the sources into a folder, until the file ends. */
export async function copiedSources(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'chartroom-bugs-')))
  atFileEnd(() => rm(folder, { recursive: true, force: true }))
  for (const path of COPIED) await cp(join(ROOT, path), join(folder, path), { recursive: true })
  await mkdir(join(folder, 'node_modules'))
  for (const name of PACKAGES)
    await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  return folder
}

/** Plants a bug in copied sources and records it, in another process. */
export async function bugged(folder: string, bug: PlantedLine): Promise<BuggedApp> {
  for (const { file } of PLANTED_LINES) await cp(join(ROOT, file), join(folder, file))
  const path = join(folder, bug.file)
  const source = await readFile(path, 'utf8')
  if (source.split(bug.right).length !== 2) throw new Error(`${bug.file} has not exactly one: ${bug.right}`)
  await writeFile(
    path,
    source.replace(bug.right, () => bug.wrong),
  )
  const machines = join(folder, 'machines.ts')
  await writeFile(machines, machinesOf(bug))
  const file = join(folder, 'recorded.bin')
  const story = typeof bug.story === 'string' ? bug.story : JSON.stringify(bug.story)
  const args = [join(folder, 'tests/harness/bug-run.ts'), story, file, ...(bug.machine ? [machines] : [])]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return { folder, machines, cause: JSON.parse(stdout) as ReportCause, trace: await readFile(file) }
}

/** Puts the right line back. */
export async function repair(folder: string, bug: PlantedLine): Promise<void> {
  const path = join(folder, bug.file)
  await writeFile(
    path,
    (await readFile(path, 'utf8')).replace(bug.wrong, () => bug.right),
  )
}

/** Number of the planted line. */
export async function lineOf(folder: string, { file, wrong }: PlantedLine): Promise<number> {
  const text = await readFile(join(folder, file), 'utf8')
  return text.slice(0, text.indexOf(wrong.trimStart())).split('\n').length
}

function machinesOf({ file, machine }: PlantedLine): string {
  if (!machine)
    return `import { composeClient, declaredPorts } from './src/services/client/compose-client.ts'\nexport const systems = { chartroom: () => composeClient(declaredPorts) }\n`
  const [expression, system] = machine
  const name = expression.replace(/\(.*/, '')
  return `import { ${name} } from './${file}'\nexport const system = '${system}'\nexport const systems = { '${system}': ${expression} }\n`
}
