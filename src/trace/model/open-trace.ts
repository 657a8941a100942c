// Opening a trace file as a model: read once from end to end, checked like any other, and left packed.
import { unpackMember } from '../gzip.ts'
import { Intake, type Unusable } from '../intake.ts'
import { readFile, type ReadOptions } from '../read-file.ts'
import { sourceOf, type ByteInput } from '../source.ts'
import { TraceIndex } from './index-builder.ts'
import { TraceModel } from './trace-model.ts'

export type OpenResult = { readonly kind: 'opened'; readonly model: TraceModel } | Unusable

/**
 * Opens a trace file of any size: bytes, a browser's `File`, or a source of the caller's own, which must stay as it
 * is while the model is used. Never throws for what is in it.
 * @throws the signal's reason when it is aborted, and what a source of the caller's own throws
 */
export async function openTrace(input: ByteInput, options: ReadOptions = {}): Promise<OpenResult> {
  const source = sourceOf(input)
  const index = new TraceIndex()
  const intake = new Intake(index)
  const wrong = await readFile(source, intake, options, portion => index.portion(portion))
  if (wrong) return wrong
  index.states.finish()
  const { damage, format } = intake
  const { unpack = unpackMember } = options
  return { kind: 'opened', model: new TraceModel({ source, index, damage, format, unpack }) }
}
