// Processes a batch of files and reports each result: done, refused, conflicting or postponed.
import { describeFailure, type Failure } from '../../client/index.ts'
import { numbered } from '../../../machines/index.ts'
import type { FileJobOptions, FileTask } from '../jobs/create-file-job.ts'
import { explainCall } from '../rest/failed-call.ts'
import { nameOf } from './listing.ts'
import type { Bucket, Within } from './tree.ts'

/** Processes a batch of the counted files. */
export type Batch = (
  bucket: Bucket,
  files: readonly Within[],
  tasks: readonly FileTask[],
) => ReturnType<FileJobOptions['processBatch']>

type Fate =
  | { readonly kind: 'done' }
  | { readonly kind: 'taken'; readonly target: string }
  | { readonly kind: 'refused' | 'delayed'; readonly message: string; readonly failure: Failure }

const DONE: Fate = { kind: 'done' }
const POLICY = 'A policy forbids it, or it is already gone.'
/** Maximum numbered names to try for a taken name. */
const MOST_NAMES = 100

interface Answered {
  readonly error: unknown
}

/** The error a call returned or threw. */
const errorOf = (call: PromiseLike<Answered>): Promise<unknown> =>
  Promise.resolve(call).then(
    ({ error }) => error,
    (error: unknown) => error,
  )

async function notDone(error: unknown): Promise<Extract<Fate, { message: string }>> {
  const failure = await describeFailure(error)
  const { message, retry } = await explainCall(error)
  return { kind: retry ? 'delayed' : 'refused', message, failure }
}

/** Whether a file is visible at the path. */
const isThere = async (bucket: Bucket, path: string): Promise<boolean> =>
  (await bucket.exists(path).catch(() => undefined))?.data === true

interface Place {
  readonly bucket: Bucket
  readonly how: 'move' | 'copy'
  readonly from: string
  readonly to: string
}

/** One attempt, with exactly this name. */
async function placeOnce({ bucket, how, from, to }: Place): Promise<Fate> {
  const error = await errorOf(bucket[how](from, to))
  if (error === null) return DONE
  const fate = await notDone(error)
  return fate.failure.kind === 'conflict' ? { kind: 'taken', target: to } : fate
}

/** Uses the first free numbered name; returns it, or the failure. */
async function placeBeside(
  place: Place,
  pathFor: (path: string, number: number) => string = numbered,
): Promise<readonly [Fate, name: string]> {
  let fate: Fate = { kind: 'taken', target: place.to }
  let name = place.to
  for (let number = 2; fate.kind === 'taken' && number < MOST_NAMES; number++) {
    name = pathFor(place.to, number)
    fate = await placeOnce({ ...place, to: name })
  }
  return [fate, name]
}

const ASIDE = (path: string, number: number) =>
  number === 2 ? numbered(path, 'replaced') : numbered(path, `replaced ${number - 1}`)

/**
 * Moves the existing file aside first and deletes it only when the new one is in place: neither is ever lost.
 */
async function placeOver(place: Place): Promise<Fate> {
  const { bucket, to } = place
  const [isMoved, aside] = await placeBeside({ bucket, how: 'move', from: to, to }, ASIDE)
  if (isMoved.kind === 'taken') return isMoved
  // The conflicting file is gone by now.
  if (isMoved.kind !== 'done' && isMoved.kind !== 'refused') return isMoved
  if (isMoved.kind === 'refused' && isMoved.failure.kind !== 'notFound') return isMoved
  const fate = await placeOnce(place)
  if (fate.kind === 'done') return isMoved.kind === 'done' ? cleared(bucket, aside) : DONE
  if (isMoved.kind !== 'done' || (await errorOf(bucket.move(aside, to))) === null) return fate
  const message = `${fate.kind === 'taken' ? '' : fate.message} The previous file is kept as ${nameOf(aside)}.`
  const failure: Failure = { kind: 'storage', message }
  return { kind: 'refused', message: message.trim(), failure }
}

async function cleared(bucket: Bucket, aside: string): Promise<Fate> {
  const { data } = await bucket.remove([aside]).catch(() => ({ data: null }))
  if (data?.length === 1) return DONE
  const message = `The file is in place. The file it replaced could not be deleted and is kept as ${nameOf(aside)}.`
  return { kind: 'refused', message, failure: { kind: 'storage', message } }
}

async function place(where: Place, { onConflict, isRepeat }: FileTask): Promise<Fate> {
  const { bucket, from, to } = where
  if (from === to) return DONE
  const fate = onConflict === 'replace' ? await placeOver(where) : await placeOnce(where)
  if (fate.kind === 'taken' && onConflict === 'keepBoth') return (await placeBeside(where))[0]
  // An earlier attempt moved it, but its response was lost.
  const isGone = isRepeat && fate.kind === 'refused' && fate.failure.kind === 'notFound'
  return isGone && (await isThere(bucket, to)) ? DONE : fate
}

/** Moves or copies each file to its `to` path. */
export const relocating =
  (how: 'move' | 'copy', to: (path: string) => string): Batch =>
  async (bucket, files, tasks) => {
    const fates = tasks.map(async (task): Promise<readonly [number, string, Fate]> => {
      const from = files[task.file]?.path ?? ''
      return [task.file, from, await place({ bucket, how, from, to: to(from) }, task)]
    })
    return gathered(await Promise.all(fates))
  }

/**
 * Deletes files. Policies hide files instead of refusing, so files without a match are reported as refused.
 */
export const removing: Batch = async (bucket, files, tasks) => {
  const paths = tasks.map(({ file }) => files[file]?.path ?? '')
  const { data, error } = await bucket
    .remove(paths)
    .catch((thrown: unknown) => ({ data: null, error: thrown }))
  const all = error === null ? undefined : await notDone(error)
  const removedPaths = new Set(data?.map(({ name }) => name))
  const failure: Failure = { kind: 'forbidden', message: POLICY }
  const fates = tasks.map(async ({ file, isRepeat }, at): Promise<readonly [number, string, Fate]> => {
    const path = paths[at] ?? ''
    if (all) return [file, path, all]
    const isDone = removedPaths.has(path) || (isRepeat && !(await isThere(bucket, path)))
    return [file, path, isDone ? DONE : { kind: 'refused', message: POLICY, failure }]
  })
  return gathered(await Promise.all(fates))
}

function gathered(fates: readonly (readonly [file: number, path: string, Fate])[]) {
  const of = (kind: 'refused' | 'delayed') =>
    fates.flatMap(([file, path, fate]) => (fate.kind === kind ? [{ file, path, message: fate.message }] : []))
  const failure = fates.flatMap(([, , fate]) => (fate.kind === 'delayed' ? [fate.failure] : []))[0]
  return {
    refused: of('refused'),
    delayed: of('delayed'),
    conflicts: fates.flatMap(([file, path, fate]) =>
      fate.kind === 'taken' ? [{ file, path, target: fate.target }] : [],
    ),
    ...(failure && { failure }),
  }
}
