// One measurement of a trace file in a separate process: opening, parsing, seeking or reading.
import { readFile } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'
import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { runInNewContext } from 'node:vm'
import { gunzipSync } from 'node:zlib'
import { createSeededEntropy } from '../../../src/services/runtime/entropy.ts'
import { readHead } from '../../../src/trace/read/gzip.ts'
import { openTrace } from '../../../src/trace/model/open-trace.ts'
import type { TraceModel } from '../../../src/trace/model/trace-model.ts'
import type { ByteSource } from '../../../src/trace/read/unpack.ts'
import type { Sought } from './measured.ts'
import { onDisk } from './on-disk.ts'

/** Number of random steps to seek. */
const SEEKS = 1000

const [mode = '', path = '', seed = '1', steps = '0'] = process.argv.slice(2)
const { random } = createSeededEntropy(Number(seed))
const modes: Readonly<Record<string, () => Promise<unknown>>> = {
  open: () => timed(openAll),
  parse: () => timed(() => parseAll()),
  seek,
  reach,
}
const measured = await modes[mode]?.()
if (measured === undefined) throw new Error(`Unknown measurement: ${mode}.`)
console.log(JSON.stringify(measured))

/** Node's fastest way: with a buffer for the whole text. */
function unpack(member: Uint8Array): Uint8Array {
  return gunzipSync(member, { chunkSize: (readHead(member)?.text ?? 2 ** 14) + 64 })
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await run()
  return performance.now() - started
}

async function openAll(): Promise<void> {
  const source = onDisk(path)
  await modelOf(source)
  source.close()
}

/** A model of this file; damage would be our mistake. */
async function modelOf(source: ByteSource): Promise<TraceModel> {
  const opened = await openTrace(source, { unpack })
  if (opened.kind !== 'opened') throw new Error(opened.message)
  const [damage] = opened.model.damage
  if (damage) throw new Error(`line ${damage.atLine}: ${damage.message}`)
  return opened.model
}

/** Reads the states of all living actors at random steps. */
async function seek(): Promise<Sought> {
  const before = memory()
  const source = onDisk(path)
  const model = await modelOf(source)
  const opened = memory()
  const times: number[] = []
  const processor: number[] = []
  const begins: number[] = []
  const collections = collectionsFromNow()
  for (let n = 0; n < SEEKS; n++) {
    const started = process.cpuUsage()
    begins.push(performance.now())
    times.push(await timed(() => model.stateAt(stepOf(model.steps.length))))
    const { user, system } = process.cpuUsage(started)
    processor.push((user + system) / 1000)
  }
  const collected = await collections()
  const wasCalm = times.map((time, n) => {
    const [from, to] = [begins[n] ?? 0, (begins[n] ?? 0) + time]
    return !collected.some(each => each.startTime < to && each.startTime + each.duration > from)
  })
  const slowest = [...times.keys()]
    .toSorted((a, b) => (times[b] ?? 0) - (times[a] ?? 0))
    .slice(0, SEEKS / 100)
  const used = memory()
  source.close()
  return {
    p99: p99(times),
    processor: p99(processor),
    calm: p99(times.filter((_, n) => wasCalm[n])),
    collected: wasCalm.filter(calm => !calm).length,
    collectedOfSlowest: slowest.filter(n => !wasCalm[n]).length / slowest.length,
    steps: model.steps.length,
    stimuli: model.stimuli.length,
    actors: model.actors.length,
    disk: source.size,
    opened: opened - before,
    used: used - before,
  }
}

/** Returns a function that stops, and returns the garbage collections since now. */
function collectionsFromNow(): () => Promise<readonly PerformanceEntry[]> {
  const found: PerformanceEntry[] = []
  const observer = new PerformanceObserver(list => found.push(...list.getEntries()))
  observer.observe({ entryTypes: ['gc'] })
  return async () => {
    await new Promise(resolve => setImmediate(resolve))
    found.push(...observer.takeRecords())
    observer.disconnect()
    return found
  }
}

function p99(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? NaN
}

/** Reads the file up to one random step. */
function reach(): Promise<number> {
  const step = stepOf(Number(steps))
  return timed(() => parseAll(record => isView(record) && record.seq === step))
}

/** Parses every line of the compressed file until `isEnough` returns true. */
async function parseAll(isEnough: (record: unknown) => boolean = () => false): Promise<void> {
  const bytes = await readFile(path)
  const decoder = new TextDecoder()
  for (let at = 0; at < bytes.length;) {
    const size = readHead(bytes, at)?.size ?? bytes.length
    for (const line of decoder.decode(unpack(bytes.subarray(at, at + size))).split('\n'))
      if (line !== '' && isEnough(JSON.parse(line))) return
    at += size
  }
}

function stepOf(steps: number): number {
  return Math.floor(random() * steps)
}

function isView(record: unknown): record is { readonly seq: number } {
  return typeof record === 'object' && record !== null && 'line' in record && record.line === 'step'
}

/** Bytes in use after a garbage collection. */
function memory(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
