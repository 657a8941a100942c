// `chartroom export`: converts a trace to a format that other tools open.
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  EXPORT_FORMATS,
  type ExportFormat,
  type ExportOptions,
  exportPieces,
  type ReplayableTrace,
} from '../public/devtools/replay.ts'
import { defineCommand, type ExitCode, type Run, UsageError, wholeNumber } from './command.ts'
import { loadMachines, MACHINES_FLAG } from './machines-file.ts'
import { needTrace } from './trace-files.ts'
import { viewerPage } from './viewer.ts'
import { fileReason, WRITE_FLAGS, writeNew } from './write-file.ts'
import { print, printData, printError } from './print.ts'

/** The viewer is a part of the package, not of the trace. */
const FORMATS = [...EXPORT_FORMATS, 'html'] as const
type Format = ExportFormat | 'html'

/** Runs the command, or names the new command for backend data. */
export const exportCommand: Run = args => {
  if (!args.some(arg => /^--(?:data|with-secrets)(?:=|$)/.test(arg))) return exportTraceCommand(args)
  printError("To export a backend's data, use `chartroom backend export`.\n")
  return Promise.resolve(2)
}

const exportTraceCommand = defineCommand({
  usage: 'export FILE --to FORMAT [flags]',
  text: `Converts a trace to Chrome trace events (perfetto), for ui.perfetto.dev and DevTools; to HAR 1.2 (har): the
network of Chartroom's own systems; to OpenTelemetry's OTLP in JSON (otlp): spans and log records; to Mermaid (mermaid): the run as a sequence diagram, or a machine as a
state diagram; to W3C SCXML (scxml): a machine; or to the console as one HTML file with the recording in it
(html), which opens without a server or a network. The same trace gives the same bytes.

Exit code: 0 written, 2 failed.`,
  flags: {
    to: { type: 'string', value: 'FORMAT', about: FORMATS.join(', '), oneOf: FORMATS },
    out: {
      type: 'string',
      value: 'FILE',
      about: 'Output file; default: standard output. A folder receives every machine (scxml, state diagrams)',
    },
    machine: {
      type: 'string',
      value: 'ID',
      about: 'scxml, state diagrams: machine to export; default: the root machine',
    },
    diagram: {
      type: 'string',
      value: 'KIND',
      about: 'mermaid: sequence (the default) or state',
      oneOf: ['sequence', 'state'],
    },
    signal: {
      type: 'string',
      value: 'SIGNAL',
      about: 'otlp: traces or logs; default: both, each on a line',
      oneOf: ['traces', 'logs'],
    },
    traceparent: {
      type: 'string',
      value: 'VALUE',
      about:
        'otlp: the span of OpenTelemetry or Sentry that the run belongs to, as in a traceparent or sentry-trace header; default: that of the recording',
    },
    from: { type: 'string', value: 'N', about: 'Sequence diagrams: first step' },
    until: { type: 'string', value: 'N', about: 'Sequence diagrams: last step' },
    actor: {
      type: 'string',
      value: 'PATH',
      isRepeatable: true,
      about: 'Sequence diagrams: only this actor and its descendants; repeatable',
    },
    'base-url': {
      type: 'string',
      value: 'URL',
      about: 'har: the backend URL, which traces do not contain',
    },
    ...MACHINES_FLAG,
    ...WRITE_FLAGS,
  },
  takes: [1, 1, 'file'],
  async run({ values, names: [file = ''] }): Promise<ExitCode> {
    const { to, out, force, machine, diagram, actor, 'base-url': baseUrl } = values
    if (to === undefined) throw new UsageError(`--to is missing. Give ${FORMATS.join(', ')}.`)
    const options: ExportOptions = {
      ...(machine !== undefined && { machine }),
      ...(diagram && { diagram }),
      ...(values.signal && { signal: values.signal }),
      ...(values.traceparent !== undefined && { traceparent: values.traceparent }),
      ...(values.from !== undefined && { from: stepNumber('--from', values.from) }),
      ...(values.until !== undefined && { until: stepNumber('--until', values.until) }),
      ...(baseUrl !== undefined && { baseUrl }),
      actors: actor,
    }
    checkFlags(to, values)
    if (to === 'html') {
      const page = await viewerPage(await traceForViewer(file, values.machines), file)
      if (out === undefined) printData(page)
      else await write(out, [page], force)
      return 0
    }
    const isChart = to === 'scxml' || diagram === 'state'
    // Charts are stored in the header of the file; everything else requires the steps.
    const trace = await needTrace(file, isChart ? undefined : await loadMachines(values.machines))
    if (out === undefined) for (const piece of joined(exportPieces(trace, to, options))) printData(piece)
    else if (await isFolder(out)) await writeMachines(trace, to, options, out, force)
    else await write(out, exportPieces(trace, to, options), force)
    return 0
  },
})

/** The viewer can derive the steps of Chartroom's own systems; it has no other machines. */
async function traceForViewer(file: string, machines: string | undefined): Promise<ReplayableTrace> {
  const loadedMachines = await loadMachines(machines)
  const trace = await needTrace(file, machines === undefined ? undefined : loadedMachines)
  if (trace.header.steps === false) loadedMachines.need(trace)
  return trace
}

/** The formats to which each flag applies; a flag without effect is an error. */
const USES: Readonly<Record<string, (to: Format, diagram: string) => boolean>> = {
  machine: (to, diagram) => to === 'scxml' || diagram === 'mermaid state',
  diagram: to => to === 'mermaid',
  from: (_, diagram) => diagram === 'mermaid sequence',
  until: (_, diagram) => diagram === 'mermaid sequence',
  actor: (_, diagram) => diagram === 'mermaid sequence',
  'base-url': to => to === 'har',
  signal: to => to === 'otlp',
  traceparent: to => to === 'otlp',
}

function checkFlags(to: Format, values: Readonly<Record<string, unknown>>): void {
  const { diagram = 'sequence', 'base-url': baseUrl } = values
  for (const [flag, isOfUse] of Object.entries(USES)) {
    const value = values[flag]
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue
    if (isOfUse(to, `${to} ${String(diagram)}`)) continue
    throw new UsageError(
      `--${flag} has no effect with --to ${to}${to === 'mermaid' ? ` --diagram ${String(diagram)}` : ''}.`,
    )
  }
  if (typeof baseUrl === 'string' && !URL.canParse(baseUrl))
    throw new UsageError(
      `--base-url must be a URL such as https://your-project.supabase.co, not "${baseUrl}".`,
    )
}

/** Joins small pieces, since each is written separately. */
function* joined(pieces: Iterable<string>): Generator<string> {
  let text = ''
  for (const piece of pieces) {
    text += piece
    if (text.length < PIECE) continue
    yield text
    text = ''
  }
  yield text
}

const PIECE = 2 ** 18

const stepNumber = (flag: string, text: string) => wholeNumber(flag, text, 0, Number.MAX_SAFE_INTEGER)

async function write(file: string, text: Iterable<string>, force: boolean): Promise<void> {
  await writeNew(file, joined(text), force)
  print(`${file}\n`)
}

async function isFolder(path: string): Promise<boolean> {
  if (/[/\\]$/.test(path)) return true
  return stat(path).then(
    stats => stats.isDirectory(),
    () => false,
  )
}

/** Writes one document per machine, named by its id. */
async function writeMachines(
  trace: ReplayableTrace,
  to: ExportFormat,
  options: ExportOptions,
  dir: string,
  force: boolean,
): Promise<void> {
  if (to !== 'scxml' && options.diagram !== 'state')
    throw new UsageError(`--out ${dir} is a folder, but ${to} is a single file. Give a file.`)
  await mkdir(dir, { recursive: true }).catch((error: unknown) => {
    throw new Error(`${dir} can't be created: ${fileReason(error)}`, { cause: error })
  })
  const machines = options.machine === undefined ? Object.keys(trace.header.machines) : [options.machine]
  const ending = to === 'scxml' ? 'scxml' : 'mmd'
  for (const machine of machines) {
    const text = exportPieces(trace, to, { ...options, machine })
    await write(join(dir, `${encodeURIComponent(machine)}.${ending}`), text, force)
  }
}
