// Reads a whole trace file: gzip or plain, valid or damaged; keeps valid records and reports the rest by
// line.
import { Collector } from './collect.ts'
import type { ReplayableTrace } from '../format/trace-source.ts'
import { RecordReader, type Unusable } from './record-reader.ts'
import { readFile, type ReadOptions } from './read-file.ts'
import { sourceOf, type ByteInput } from './source.ts'

/** Outcome of `readTrace`: the trace, or why the file cannot be used. */
export type ReadResult = { readonly kind: 'trace'; readonly trace: ReplayableTrace } | Unusable

/**
 * Reads a file, or unpacked text. Never throws because of the contents.
 * @throws the signal's reason if aborted, and errors of a custom source
 */
export async function readTrace(input: ByteInput | string, options: ReadOptions = {}): Promise<ReadResult> {
  const collector = new Collector()
  const reader = new RecordReader(collector)
  const source = sourceOf(typeof input === 'string' ? new Blob([input]) : input)
  const wrong = await readFile(source, reader, options)
  if (wrong) return wrong
  const trace = collector.finish(reader.damage)
  return trace
    ? { kind: 'trace', trace }
    : { kind: 'unusable', reason: 'empty', message: 'the file is empty' }
}
