// Opening a trace file as a model: read once from end to end, checked like any other, and left packed.
import { unpackMember } from '../gzip.ts'
import type { PlacedRecord } from '../format.ts'
import { Intake, type Unusable } from '../intake.ts'
import { readFile, type ReadOptions } from '../read-file.ts'
import { sourceOf, type ByteInput } from '../source.ts'
import { TraceIndex } from './index-builder.ts'
import { TraceModel } from './trace-model.ts'

export type OpenResult = { readonly kind: 'opened'; readonly model: TraceModel } | Unusable

type FollowRecord = (record: PlacedRecord) => void

export interface OpenOptions extends ReadOptions {
  /** Told of every record; the values in it are as the codec wrote them. */
  readonly onRecord?: FollowRecord
  /** Called after some lines were read: the model is good for as much as it has. */
  readonly onPortion?: (model: TraceModel) => Promise<void> | void
}

/**
 * Opens a trace file of any size: bytes, a browser's `File`, or a source of the caller's own, which must stay as it
 * is while the model is used. Never throws for what is in it.
 * @throws the signal's reason when it is aborted, and what a source of the caller's own throws
 */
export async function openTrace(input: ByteInput, options: OpenOptions = {}): Promise<OpenResult> {
  const source = sourceOf(input)
  const { unpack = unpackMember, onRecord, onPortion } = options
  const index = onRecord ? new FollowedIndex(onRecord) : new TraceIndex()
  const intake = new Intake(index)
  let model: TraceModel | undefined
  const wrong = await readFile(source, intake, options, async portion => {
    await index.portion(portion)
    if (!index.hasHead) return
    const { damage, format } = intake
    model ??= new TraceModel({ source, index, damage, format, unpack })
    await onPortion?.(model)
  })
  if (wrong) return wrong
  index.states.finish()
  if (!model) throw new TypeError('a file without lines is refused')
  return { kind: 'opened', model }
}

/** Tells of every record as it is read; its values are as the codec wrote them. */
class FollowedIndex extends TraceIndex {
  readonly #follow: FollowRecord

  constructor(follow: FollowRecord) {
    super()
    this.#follow = follow
  }

  override record(record: PlacedRecord, line: string): void {
    super.record(record, line)
    this.#follow(record)
  }
}
