// Opening a trace file of a million records, beside reading and parsing the same file line by line.
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { openTrace } from '../../src/trace/model/open-trace.ts'
import type { TraceModel } from '../../src/trace/model/trace-model.ts'
import type { ByteSource } from '../../src/trace/source.ts'
import { readHead } from '../../src/trace/gzip.ts'
import type { Benchmark } from '../contract.ts'
import { millionRecords, onDisk, removeMillionRecords } from './million.ts'

export const openMillion: Benchmark = {
  name: 'open-1m',
  unit: 'ms',
  peer: 'the same file unpacked and parsed by JSON.parse line by line',
  async measure(samples) {
    const path = await millionRecords()
    const ours: number[] = []
    const peer: number[] = []
    for (let at = 0; at < samples; at++) {
      peer.push(await timed(() => parseAll(path)))
      ours.push(await timed(() => openAll(path)))
    }
    await removeMillionRecords()
    return { ours, peer }
  },
}

export async function timed(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await run()
  return performance.now() - started
}

async function openAll(path: string): Promise<void> {
  const source = await onDisk(path)
  await modelOf(source)
  await source.close()
}

/** A model of this file; that it is damaged would be a mistake of ours. */
export async function modelOf(source: ByteSource): Promise<TraceModel> {
  const opened = await openTrace(source, { unpack: gunzipSync })
  if (opened.kind !== 'opened') throw new Error(opened.message)
  const [damage] = opened.model.damage
  if (damage) throw new Error(`line ${damage.atLine}: ${damage.message}`)
  return opened.model
}

/** Every line of a packed file, parsed, until `isEnough` says so. */
export async function parseAll(
  path: string,
  isEnough: (record: unknown) => boolean = () => false,
): Promise<void> {
  const bytes = await readFile(path)
  const decoder = new TextDecoder()
  for (let at = 0; at < bytes.length;) {
    const size = readHead(bytes, at)?.size ?? bytes.length
    for (const line of decoder.decode(gunzipSync(bytes.subarray(at, at + size))).split('\n'))
      if (line !== '' && isEnough(JSON.parse(line))) return
    at += size
  }
}
