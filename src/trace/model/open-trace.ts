// Opens a trace file as a model: read once from end to end, validated, and kept packed.
import { unpackMember } from '../read/gzip.ts'
import type { PlacedRecord } from '../format/records.ts'
import { RecordReader, type Unusable } from '../read/record-reader.ts'
import { readFile, type ReadOptions } from '../read/read-file.ts'
import { sourceOf, type ByteInput } from '../read/unpack.ts'
import { TraceIndex } from './index-builder.ts'
import { TraceModel } from './trace-model.ts'

/** Outcome of `openTrace`: the model, or why the file cannot be opened. */
export type OpenResult = { readonly kind: 'opened'; readonly model: TraceModel } | Unusable

export interface OpenOptions extends ReadOptions {
  /** Called for every record; its values are still encoded. */
  readonly onRecord?: (record: PlacedRecord) => void
  /** Called after some lines were read; the model can be used for the part read so far. */
  readonly onBatch?: (model: TraceModel) => Promise<void> | void
}

/**
 * Opens a trace file of any size: bytes, a browser's `File`, or a custom source, which must not change while
 * the model is used. Never throws because of the contents.
 * @throws the signal's reason if aborted, and errors of a custom source
 */
export async function openTrace(input: ByteInput, options: OpenOptions = {}): Promise<OpenResult> {
  const source = sourceOf(input)
  const { unpack = unpackMember, onRecord, onBatch } = options
  const index = new TraceIndex(onRecord)
  const reader = new RecordReader(index)
  let model: TraceModel | undefined
  const wrong = await readFile(source, reader, options, async batch => {
    await index.addBatch(batch)
    if (!index.hasHead) return
    const { damage, format } = reader
    model ??= new TraceModel({ source, index, damage, format, unpack })
    await onBatch?.(model)
  })
  if (wrong) return wrong
  index.states.finish()
  if (!model) throw new TypeError('a file without lines is refused')
  return { kind: 'opened', model }
}
