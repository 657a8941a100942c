// Generates a trace file of a million records: recorded runs of the whole client in a storm, one after the
// other.
import { createWriteStream, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeLines, MEMBER_TEXT } from '../../../src/trace/write/encode.ts'
import type { ReplayableTrace } from '../../../src/trace/format/trace-source.ts'
import type { TraceRecord } from '../../../src/trace/format/records.ts'
import { packLines } from '../../../src/trace/read/gzip.ts'
import { stormRun } from './storm-run.ts'

const RECORDS = 1_000_000
const SEEDS = [3, 4, 5]
const COMMANDS = 3000

/** Offsets of a run's numbers within the file. */
interface Offset {
  readonly run: number
  readonly actors: number
  readonly stimuli: number
  readonly steps: number
  readonly t: number
}

let file: Promise<string> | undefined

/** Path of the file, which is generated once and removed when the process ends. */
export function millionRecords(): Promise<string> {
  file ??= write()
  return file
}

async function write(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'chartroom-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'million.jsonl.gz')
  const out = createWriteStream(path)
  let lines: string[] = []
  let length = 0
  const flush = async () => {
    if (!out.write(await packLines(lines))) await once(out, 'drain')
    lines = []
    length = 0
  }
  for (const line of records()) {
    lines.push(line)
    length += line.length
    if (length >= MEMBER_TEXT) await flush()
  }
  await flush()
  out.end()
  await once(out, 'close')
  return path
}

function* records(): Generator<string> {
  const traces = SEEDS.map(seed => stormRun(seed, COMMANDS).run())
  let at: Offset = { run: 0, actors: 0, stimuli: 0, steps: 0, t: 0 }
  let count = 0
  while (count < RECORDS) {
    const trace = traces[at.run % traces.length]
    if (!trace) throw new Error('there are no runs')
    for (const line of encodeLines(trace)) {
      const moved = move(JSON.parse(line) as TraceRecord, at)
      if (!moved) continue
      count += 1
      yield JSON.stringify(moved)
    }
    const ends = stops(trace, at)
    for (const end of ends) yield JSON.stringify(end)
    at = {
      run: at.run + 1,
      actors: at.actors + trace.actors.length,
      stimuli: at.stimuli + trace.stimuli.length,
      steps: at.steps + trace.steps.length + ends.length,
      t: at.t + (trace.steps.at(-1)?.t ?? 0),
    }
  }
  yield JSON.stringify({ line: 'end', stimuli: at.stimuli, steps: at.steps } satisfies TraceRecord)
}

/** The record with its numbers shifted to the file's; keyframes are omitted, since they belong to one run. */
function move(record: TraceRecord, at: Offset): TraceRecord | undefined {
  const actor = (index: number) => index + at.actors
  switch (record.line) {
    case 'header':
      return at.run === 0 ? record : undefined
    case 'actor': {
      const { index, parent, path } = record
      const up = parent === undefined ? {} : { parent: actor(parent) }
      return { ...record, index: actor(index), path: `run-${at.run}/${path}`, ...up }
    }
    case 'stimulus': {
      const { seq, t, to, from, anchor } = record
      return {
        ...record,
        seq: seq + at.stimuli,
        t: t + at.t,
        to: actor(to),
        ...(from !== undefined && { from: actor(from) }),
        ...(anchor && { anchor: anchor.in === undefined ? anchor : { ...anchor, in: actor(anchor.in) } }),
      }
    }
    case 'step': {
      const { seq, t, from, cause, by } = record
      return {
        ...record,
        seq: seq + at.steps,
        t: t + at.t,
        actor: actor(record.actor),
        ...(from !== undefined && { from: actor(from) }),
        cause: cause < 0 ? cause : cause + at.stimuli,
        ...(by !== undefined && { by: by + at.steps }),
      }
    }
    case 'tape':
      return record.at === undefined ? record : { ...record, at: record.at + at.stimuli }
    default:
      return undefined
  }
}

/** Stops all actors at the end of a run. */
function stops({ steps }: ReplayableTrace, at: Offset): TraceRecord[] {
  const last = new Map(steps.map(step => [step.actor, step]))
  const living = [...last.values()].filter(({ status }) => status === 'active')
  return living.map(({ actor, t }, n) => ({
    line: 'step',
    seq: at.steps + steps.length + n,
    t: t + at.t,
    actor: actor + at.actors,
    event: { type: 'xstate.stop' },
    cause: -1,
    status: 'stopped',
    changed: true,
  }))
}
