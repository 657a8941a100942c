// Reads a trace file outside the page's thread: sends its timeline block by block, then serves its records.
import {
  encodeValue,
  matchesDeep,
  openTrace,
  type StepRecord,
  TimelineFeed,
  type TraceModel,
  transferOf,
} from '../../../trace/index.ts'
import { messageOf } from '../text.ts'
import { previewOf } from './details.ts'
import type { DeepQuestion, FromReader, ToReader } from './trace-messages.ts'

/** Steps per block: the page processes a block in a few milliseconds. */
const BLOCK_VIEWS = 8192

export type PostAnswer = (answer: FromReader, transfer?: ArrayBuffer[]) => void

/** Handles the page's messages about one file; passes responses to `post`. Never throws. */
export function createTraceHost(post: PostAnswer): (message: ToReader) => Promise<void> {
  let model: TraceModel | undefined
  const open = (file: Blob) => readFile(file, post, made => (model = made))
  return async message => {
    if (message.kind === 'open') return open(message.file)
    try {
      if (!model) throw new Error('no file is open')
      await answer(model, message, post)
    } catch (error) {
      post({ kind: 'failed', id: message.id, message: messageOf(error) })
    }
  }
}

async function readFile(file: Blob, post: PostAnswer, onModel: (model: TraceModel) => void): Promise<void> {
  const feed = new TimelineFeed()
  let share = 0
  let isFirst = true
  const flush = () => {
    const block = feed.flush()
    if (block) post({ kind: 'block', block, share }, transferOf(block))
  }
  const onBatch = (model: TraceModel) => {
    // There is nothing to show until its steps are derived.
    if (model.header.steps === false) return
    if (isFirst) post({ kind: 'header', text: JSON.stringify(encodeValue(model.header)) })
    // The first block is sent immediately, however small it is.
    if (isFirst || feed.waiting >= BLOCK_VIEWS) flush()
    isFirst = false
    onModel(model)
  }
  try {
    const onProgress = (read: number) => void (share = read)
    const result = await openTrace(file, { onRecord: record => feed.record(record), onBatch, onProgress })
    if (result.kind === 'unusable') return post({ kind: 'refused', message: `${capital(result.message)}.` })
    if (result.model.header.steps === false) return await readDerived(file, post, onModel)
    flush()
    post({ kind: 'read', damage: result.model.damage })
  } catch (error) {
    post({ kind: 'refused', message: `The file could not be read: ${messageOf(error)}` })
  }
}

/** Derives the file's steps, as if they had been recorded. The machines are loaded only for the first one. */
async function readDerived(
  file: Blob,
  post: PostAnswer,
  onModel: (model: TraceModel) => void,
): Promise<void> {
  const { deriveSteps, encodeFile, readTrace, systems } = await import('../replay-engine.ts')
  const read = await readTrace(file)
  const derived = read.kind === 'trace' ? deriveSteps(read.trace, systems) : read
  if (derived.kind === 'unusable') return post({ kind: 'refused', message: capital(derived.message) })
  return readFile(new Blob([await encodeFile(derived.trace)]), post, onModel)
}

type Question = Exclude<ToReader, { readonly kind: 'open' }>

async function answer(model: TraceModel, message: Question, post: PostAnswer): Promise<void> {
  const { id } = message
  if (message.kind === 'match') {
    const matches = await match(model, message.questions, message.seqs, message.previous)
    return post({ kind: 'matches', id, matches }, [matches.buffer])
  }
  if (message.kind === 'preview') {
    const steps = await Promise.all(message.seqs.map(seq => model.step(seq)))
    const previews = steps.map(step => previewOf(step, message.pointer))
    return post({ kind: 'previews', id, previews })
  }
  const read = (seq: number) => (message.kind === 'steps' ? model.step(seq) : model.stimulus(seq))
  const records = await Promise.all(message.seqs.map(read))
  post({ kind: 'records', id, text: JSON.stringify(encodeValue(records)) })
}

/** Returns 1 for each step that matches all questions. */
async function match(
  model: TraceModel,
  questions: readonly DeepQuestion[],
  seqs: Uint32Array,
  previous: Int32Array,
): Promise<Uint8Array<ArrayBuffer>> {
  const matches = new Uint8Array(seqs.length)
  const looksBack = questions.some(({ term }) => term.kind === 'changed')
  // Most steps follow one that was just read.
  const latest = new Map<number, StepRecord>()
  for (const [at, seq] of seqs.entries()) {
    const step = await model.step(seq)
    const back = looksBack ? (previous[at] ?? -1) : -1
    const known = latest.get(step.actor)
    const before = back < 0 ? undefined : known?.seq === back ? known : await model.step(back)
    if (looksBack) latest.set(step.actor, step)
    const isSo = questions.every(({ term, negated }) => matchesDeep(term, step, before) !== negated)
    matches[at] = isSo ? 1 : 0
  }
  return matches
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
